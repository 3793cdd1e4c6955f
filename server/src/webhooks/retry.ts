/** Pauses before each try of a message; after the last try it has failed. */
export const trySeconds = [0, 5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 43_200, 43_200, 43_200] as const

const jitter = 0.1
const retryAfterSecondsMax = 24 * 60 * 60

/** Seconds until the next try, or undefined when so many tries were all. A receiver may ask for more time, not for less. */
export function nextTrySeconds(tries: number, retryAfterSeconds = 0, random = Math.random()): number | undefined {
  const usual = trySeconds[tries]
  if (usual === undefined) return undefined
  const spread = usual * (1 - jitter + 2 * jitter * random)
  return Math.max(spread, Math.min(retryAfterSeconds, retryAfterSecondsMax))
}

/** The header is a number of seconds or a date; anything else says nothing. */
export function retryAfterSeconds(header: string | undefined, now: Date): number {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, (date - now.getTime()) / 1000)
}
