import type { RawBuilder } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { insertAtEnd } from '#platform/db/at-end'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import { jobRows } from './rows.ts'

/** Work that is promised in a transaction and done after its commit, at least once. */
export interface Job<S extends TSchema = TSchema> {
  readonly name: string
  readonly schema: S
  /** Pauses before the second, third … try; after the last the job has failed. */
  readonly retrySeconds: readonly number[]
  /** A try that has not ended by then, or whose process died, is made again. */
  readonly leaseSeconds: number
  /** Tries of this job under way at once, in one process. */
  readonly atOnce: number
}

export type JobOptions = Partial<Pick<Job, 'retrySeconds' | 'leaseSeconds' | 'atOnce'>>

export function job<S extends TSchema>(name: string, schema: S, options: JobOptions = {}): Job<S> {
  return { name, schema, retrySeconds: [1, 5, 30, 120, 600, 3600], leaseSeconds: 30, atOnce: 4, ...options }
}

export interface EnqueueOptions {
  readonly startAfterSeconds?: number
  /** While a job with this key waits, another one is not added; one that is being performed does not count. */
  readonly singletonKey?: string
}

/** Happens with the transaction or not at all. */
export async function enqueue<S extends TSchema>(
  tx: Tx,
  job: Job<S>,
  data: Static<S>,
  { startAfterSeconds = 0, singletonKey }: EnqueueOptions = {},
): Promise<void> {
  const key = singletonKey ?? null
  await insertAtEnd(tx, jobRows, { id: newId(), queue: job.name, key, data, seconds: startAfterSeconds })
}

/** One try of a job. */
export interface Try {
  readonly platform: Platform
  /** Counts from 1. */
  readonly tries: number
  readonly isLast: boolean
  /** Aborted shortly before the lease ends. */
  readonly signal: AbortSignal
  /** Aborted when the process is to end: whoever works in rounds begins none any more. */
  readonly stopping: AbortSignal
}

/** A job with the code that does it. */
export interface Performer {
  readonly job: Job
  readonly handle: (db: Db, data: never, attempt: Try) => Promise<unknown>
}

/** The handler may run more than once for one job, even at the same time: it must be idempotent. */
export function perform<S extends TSchema>(
  job: Job<S>,
  handle: (db: Db, data: Static<S>, attempt: Try) => Promise<unknown>,
): Performer {
  return { job, handle }
}

/**
 * Work that shows in a module's own tables, so that no job has to be promised for it: whatever waits is done in one
 * round. Rounds may run in several processes at once, and may end at any moment.
 */
export interface Watch {
  readonly name: string
  /** Whether something waits, as a value in a statement. It is asked at every look. */
  readonly isWaiting: () => RawBuilder<boolean>
  /** What it cannot do now, `isWaiting` does not tell of for a while. */
  readonly handle: (db: Db, platform: Platform) => Promise<unknown>
  /** From one round to the next, so that there is more to do at once. */
  readonly pauseMs: number
}

/** A job that is done again and again, by one process each time. */
export interface Schedule {
  readonly job: Job
  readonly everySeconds: number
  readonly data: unknown
  /** For work that only some set-ups have: asked once, at the start. */
  readonly isNeeded?: (platform: Platform) => boolean
}

export function every<S extends TSchema>(everySeconds: number, job: Job<S>, data: Static<S>): Schedule {
  return { job, everySeconds, data }
}
