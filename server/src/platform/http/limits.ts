import type { FastifyReply } from 'fastify'
import type { LimitRates, Rate } from '#config'
import { networkOf } from '#platform/network'
import { tooMany } from '#problem'

/** Names and values in turn. */
export type HeaderList = readonly string[]

export interface Limits {
  takeKey(keyId: string, reply: FastifyReply): void
  takeAddress(ip: string, reply: FastifyReply): void
  /** Undefined when there is nothing left to take; otherwise it is taken, and the headers say what is left. */
  mayTakeKey(keyId: string): HeaderList | undefined
  mayTakeAddress(ip: string): HeaderList | undefined
  /** Sign-in and exchange: guessing must be slow. */
  takeAttempt(ip: string): void
  /** How long a new connection waits until it is read; undefined when its address has more waiting than can be. */
  waitMsOfConnection(ip: string): number | undefined
}

const bucketsMax = 100_000
/** After it a sender has ten seconds for its head: together no more than a browser's patience. */
const connectionWaitMsMax = 2_000

export function createLimits(rates: LimitRates, now: () => number = () => performance.now()): Limits {
  const keys = new Buckets(rates.key, now)
  const addresses = new Buckets(rates.address, now)
  const attempts = new Buckets(rates.attempt, now)
  const connections = new Buckets(rates.connection, now)
  return {
    takeKey: (keyId, reply) => keys.take(keyId, reply),
    takeAddress: (ip, reply) => addresses.take(networkOf(ip), reply),
    mayTakeKey: (keyId) => keys.mayTake(keyId),
    mayTakeAddress: (ip) => addresses.mayTake(networkOf(ip)),
    takeAttempt: (ip) => attempts.take(networkOf(ip)),
    waitMsOfConnection: (ip) => connections.waitMs(networkOf(ip), connectionWaitMsMax),
  }
}

export const noLimits: Limits = {
  takeKey() {},
  takeAddress() {},
  mayTakeKey: () => [],
  mayTakeAddress: () => [],
  takeAttempt() {},
  waitMsOfConnection: () => 0,
}

/** Token buckets, each kept as the moment at which it will be full again. */
class Buckets {
  readonly #fullAt = new Map<string, number>()
  readonly #burst: string
  readonly #tokenMs: number
  readonly #capacityMs: number
  readonly #now: () => number

  constructor({ perSecond, burst }: Rate, now: () => number) {
    this.#burst = String(burst)
    this.#tokenMs = 1000 / perSecond
    this.#capacityMs = this.#tokenMs * burst
    this.#now = now
  }

  take(name: string, reply?: FastifyReply): void {
    const now = this.#now()
    const { left, fullAt } = this.#count(name, now)
    reply?.headers({
      'ratelimit-limit': this.#burst,
      'ratelimit-remaining': String(Math.max(left, 0)),
      'ratelimit-reset': this.#reset(fullAt, now),
    })
    if (left < 0) throw tooMany(Math.max(1, Math.ceil((fullAt - now - this.#capacityMs) / 1000)))
  }

  mayTake(name: string): HeaderList | undefined {
    const now = this.#now()
    const { left, fullAt } = this.#count(name, now)
    if (left < 0) return undefined
    const reset = this.#reset(fullAt, now)
    return ['ratelimit-limit', this.#burst, 'ratelimit-remaining', String(left), 'ratelimit-reset', reset]
  }

  /** Takes what will be there by then; undefined, and nothing is taken, when that is later than allowed. */
  waitMs(name: string, waitMsMax: number): number | undefined {
    const now = this.#now()
    const fullAt = this.#fullAfter(name, now)
    const waitMs = Math.max(fullAt - now - this.#capacityMs, 0)
    if (waitMs > waitMsMax) return undefined
    this.#keep(name, fullAt, now)
    return waitMs
  }

  /** Nothing is taken when less than nothing would be left. */
  #count(name: string, now: number): { left: number; fullAt: number } {
    const fullAt = this.#fullAfter(name, now)
    const left = Math.floor((this.#capacityMs - (fullAt - now)) / this.#tokenMs)
    if (left >= 0) this.#keep(name, fullAt, now)
    return { left, fullAt }
  }

  /** When it will be full again, if one more is taken. */
  #fullAfter(name: string, now: number): number {
    return Math.max(this.#fullAt.get(name) ?? 0, now) + this.#tokenMs
  }

  #keep(name: string, fullAt: number, now: number): void {
    this.#fullAt.set(name, fullAt)
    if (this.#fullAt.size > bucketsMax) this.#forgetFull(now)
  }

  #reset(fullAt: number, now: number): string {
    return String(Math.ceil((Math.min(fullAt, now + this.#capacityMs) - now) / 1000))
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
