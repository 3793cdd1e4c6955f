import type { KeystallFailure } from './failure.ts'
import type { Endpoint } from './transport.ts'

const firstPauseSeconds = 0.5
const pauseSecondsMax = 60

/**
 * A call may be repeated when it was refused unread, or when doing it twice is as good as once. Not when the server asks
 * for more patience than a program has: `retryAfterSeconds` of the failure tells.
 */
export function canTryAgain(
  { method, isIdempotent, hasEffect }: Endpoint,
  { status, retryAfterSeconds }: KeystallFailure,
): boolean {
  if (retryAfterSeconds !== undefined && retryAfterSeconds > pauseSecondsMax) return false
  if (status === 429) return true
  // The first try is still under way: its answer is what the next one gets.
  if (status === 409) return isIdempotent === true && retryAfterSeconds !== undefined
  const isRepeatable = isIdempotent === true || (hasEffect !== true && ['GET', 'PUT', 'DELETE'].includes(method))
  return isRepeatable && [0, 502, 503, 504].includes(status)
}

/** What the server asked for, or longer after each try; spread, so that callers do not come back all at once. */
export function pauseSeconds({ retryAfterSeconds }: KeystallFailure, tries: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds
  return Math.min(firstPauseSeconds * 2 ** (tries - 1), pauseSecondsMax) * (0.75 + Math.random() / 2)
}

export function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}
