/** The words of a wallet that was made just now. */
export function wordsOnce(before: unknown, after: unknown): string | undefined {
  const seed: unknown = Object(after)['seed']
  return typeof seed === 'string' && Object(before)['seed'] !== seed ? seed : undefined
}
