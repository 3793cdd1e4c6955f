/** What came in one piece keeps everybody waiting while it is read; a dozen such at once would add up. */
const apartMs = 10
const apartForMs = 2_000
/** Whoever would wait for longer does not wait at all. */
const waitMsMax = 500

export interface Newcomers {
  /** Somebody sent so much at once that it took its time to read. */
  beware(): void
  /** How long the one who comes now is kept from being read. */
  waitMs(): number
}

/** New connections come as they like, until one has sent a crowd of requests: then one after the other, for a while. */
export function createNewcomers(): Newcomers {
  let apartUntil = 0
  let nextAt = 0
  return {
    beware() {
      apartUntil = performance.now() + apartForMs
    },
    waitMs() {
      const now = performance.now()
      if (now >= apartUntil) return 0
      const at = Math.max(now, nextAt)
      if (at - now > waitMsMax) return 0
      nextAt = at + apartMs
      return at - now
    },
  }
}
