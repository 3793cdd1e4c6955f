import { WrongSetting } from '#config'

/** One line for what the operator can mend; the whole story for what they cannot. */
export function fail(error: unknown): never {
  const isPlain =
    error instanceof WrongSetting || (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
  console.error(isPlain && error instanceof Error ? `Keystall did not start: ${error.message}` : error)
  process.exit(1)
}
