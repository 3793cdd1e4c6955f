/** The code PostgreSQL gave the error; undefined when the error did not come from PostgreSQL. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return undefined
  return String(error.code)
}
