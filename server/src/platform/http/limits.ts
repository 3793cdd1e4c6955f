import type { FastifyReply } from 'fastify'
import type { LimitRates, Rate } from '#config'
import { networkOf } from '#platform/network'
import { tooMany } from '#problem'

export interface Limits {
  takeKey(keyId: string, reply: FastifyReply): void
  takeAddress(ip: string, reply: FastifyReply): void
  /** False when there is nothing left to take; otherwise it is taken, and the headers say what is left. */
  mayTakeKey(keyId: string, headers: Record<string, string>): boolean
  mayTakeAddress(ip: string, headers: Record<string, string>): boolean
  /** Sign-in and exchange: guessing must be slow. */
  takeAttempt(ip: string): void
}

const bucketsMax = 100_000

export function createLimits(rates: LimitRates, now: () => number = () => performance.now()): Limits {
  const keys = new Buckets(rates.key, now)
  const addresses = new Buckets(rates.address, now)
  const attempts = new Buckets(rates.attempt, now)
  return {
    takeKey: (keyId, reply) => keys.take(keyId, reply),
    takeAddress: (ip, reply) => addresses.take(networkOf(ip), reply),
    mayTakeKey: (keyId, headers) => keys.mayTake(keyId, headers),
    mayTakeAddress: (ip, headers) => addresses.mayTake(networkOf(ip), headers),
    takeAttempt: (ip) => attempts.take(networkOf(ip)),
  }
}

export const noLimits: Limits = {
  takeKey() {},
  takeAddress() {},
  mayTakeKey: () => true,
  mayTakeAddress: () => true,
  takeAttempt() {},
}

/** Token buckets, each kept as the moment at which it will be full again. */
class Buckets {
  readonly #fullAt = new Map<string, number>()
  readonly #rate: Rate
  readonly #now: () => number

  constructor(rate: Rate, now: () => number) {
    this.#rate = rate
    this.#now = now
  }

  take(name: string, reply?: FastifyReply): void {
    const headers: Record<string, string> = {}
    const waitMs = this.#waitMs(name, headers)
    reply?.headers(headers)
    if (waitMs > 0) throw tooMany(Math.max(1, Math.ceil(waitMs / 1000)))
  }

  mayTake(name: string, headers: Record<string, string>): boolean {
    return this.#waitMs(name, headers) === 0
  }

  /** 0 when it was taken; otherwise how long until it can be. */
  #waitMs(name: string, headers: Record<string, string>): number {
    const now = this.#now()
    const tokenMs = 1000 / this.#rate.perSecond
    const capacityMs = tokenMs * this.#rate.burst
    const fullAt = Math.max(this.#fullAt.get(name) ?? 0, now) + tokenMs
    const left = Math.floor((capacityMs - (fullAt - now)) / tokenMs)
    headers['ratelimit-limit'] = String(this.#rate.burst)
    headers['ratelimit-remaining'] = String(Math.max(left, 0))
    headers['ratelimit-reset'] = String(Math.ceil((Math.min(fullAt, now + capacityMs) - now) / 1000))
    if (left < 0) return Math.max(1, fullAt - now - capacityMs)
    this.#fullAt.set(name, fullAt)
    if (this.#fullAt.size > bucketsMax) this.#forgetFull(now)
    return 0
  }

  #forgetFull(now: number): void {
    for (const [name, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(name)
    // Still too many: the oldest go, so that memory stays bounded whatever is sent.
    for (const name of this.#fullAt.keys()) {
      if (this.#fullAt.size <= bucketsMax) break
      this.#fullAt.delete(name)
    }
  }
}
