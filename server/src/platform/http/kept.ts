import { performance } from 'node:perf_hooks'
import type { Head } from './head.ts'
import { type Payload, payloadOf } from './payload.ts'

/** A finished answer that anybody may be given. */
export interface KeptAnswer {
  /** The pattern that logs and metrics show. */
  route: string
  body: Buffer
  /** Of an answer that callers may keep themselves, and ask about. */
  tag?: string
  headers: Record<string, string>
}

/** With the store whose changes end it. */
export interface FoundAnswer extends Omit<KeptAnswer, 'body'> {
  storeId: string
  body: Payload
  /** Put together once by whoever sends it. */
  heads?: { whole: Head; known: Head | undefined }
}

interface Entry extends FoundAnswer {
  until: number
  isBeingRenewed: boolean
}

const sizeOf = (key: string, { body }: { body: Payload }) => key.length * 2 + body.length

/** What was true when the answer began to be read. */
export interface Reading {
  beganAt: number
  /** How many changes this process had made by then. */
  changes: number
}

/** Changes made elsewhere are seen when the copy ends: under a second, whatever is lost on the way. */
const keptMs = 900
const renewMs = 400
const bytesMax = 32 * 1024 * 1024

/**
 * Finished answers of public pages and views. What a request of this process changes in a store is forgotten at once;
 * what another process changes is seen within a second, because no copy lives longer.
 */
export class Kept {
  readonly #entries = new Map<string, Entry>()
  readonly #keysByStore = new Map<string, Set<string>>()
  readonly #changedAt = new Map<string, number>()
  readonly #now: () => number
  #changes = 0
  #changedAll = 0
  #bytes = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** One caller is sent to make it anew some time before it ends, so that not all of them make it when it has ended. */
  find(key: string): FoundAnswer | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    const restMs = entry.until - this.#now()
    if (restMs <= 0) return undefined
    if (restMs > renewMs || entry.isBeingRenewed) return entry
    entry.isBeingRenewed = true
    return undefined
  }

  begin(): Reading {
    return { beganAt: this.#now(), changes: this.#changes }
  }

  /** An answer that was read before a change of its store is not kept. */
  keep(key: string, storeId: string, reading: Reading, answer: KeptAnswer): void {
    if (Math.max(this.#changedAt.get(storeId) ?? 0, this.#changedAll) > reading.changes) return
    this.#drop(key)
    const body = payloadOf(answer.body)
    this.#entries.set(key, { ...answer, body, storeId, until: reading.beganAt + keptMs, isBeingRenewed: false })
    this.#bytes += sizeOf(key, answer)
    const keys = this.#keysByStore.get(storeId) ?? new Set()
    this.#keysByStore.set(storeId, keys.add(key))
    this.#dropOldest()
  }

  forget(storeId: string): void {
    this.#changes += 1
    // The oldest change first, so that those too old to matter are found at the front.
    this.#changedAt.delete(storeId)
    this.#changedAt.set(storeId, this.#changes)
    for (const key of this.#keysByStore.get(storeId) ?? []) this.#drop(key)
    this.#boundChanges()
  }

  forgetAll(): void {
    this.#changes += 1
    this.#changedAll = this.#changes
    this.#entries.clear()
    this.#keysByStore.clear()
    this.#changedAt.clear()
    this.#bytes = 0
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#bytes -= sizeOf(key, entry)
    const keys = this.#keysByStore.get(entry.storeId)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysByStore.delete(entry.storeId)
  }

  /** Entries stand in the order of their making, so the dead are at the front. */
  #dropOldest(): void {
    const now = this.#now()
    for (const [key, entry] of this.#entries) {
      if (entry.until > now && this.#bytes <= bytesMax) break
      this.#drop(key)
    }
  }

  #boundChanges(): void {
    if (this.#changedAt.size <= 10_000) return
    // Nothing read before this moment is kept any more: simpler than to remember whose change it was.
    this.#changedAll = this.#changes
    this.#changedAt.clear()
  }
}
