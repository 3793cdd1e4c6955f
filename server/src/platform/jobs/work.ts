import { setTimeout as sleep } from 'node:timers/promises'
import { Value } from 'typebox/value'
import type { Db } from '#platform/db/database'
import { countJob } from '#platform/metrics/metrics'
import type { Platform } from '#platform/platform'
import { beginSpan, endSpan, within } from '#platform/traces/traces'
import type { Performer, Schedule, Watch } from './job.ts'
import { type ClaimedJob, deleteJob, failJob, postponeJob } from './queries.ts'

export interface Work {
  readonly db: Db
  readonly platform: Platform
  readonly performer: Performer
  readonly claimed: ClaimedJob
  readonly schedule: Schedule | undefined
  readonly stopping: AbortSignal
}

/** Tries that ended with the process do not tell the handler; a job that ends it each time must end some day. */
const crashesMax = 3
const errorCharactersMax = 2000

/** Never throws: whatever happens is written to the job, or the lease ends and it is tried again. */
export async function performJob(work: Work): Promise<void> {
  const { performer, claimed, platform } = work
  const triesMax = performer.job.retrySeconds.length + 1
  const log = platform.log.child({ job: claimed.queue, jobId: claimed.id, tries: claimed.tries })
  let isFailed = false
  const span = beginSpan('internal')
  const beganAt = performance.now()
  const outcome = await within(span, () => handle(work, triesMax)).then(
    () => () => finish(work),
    (error: unknown) => {
      isFailed = true
      const isOver = error instanceof GivenUp || claimed.tries >= triesMax
      log[isOver ? 'error' : 'warn']({ err: error }, isOver ? 'a job has failed' : 'a job will be tried again')
      return () => setBack(work, isOver, textOf(error))
    },
  )
  endSpan(span, `job ${claimed.queue}`, { 'keystall.job': claimed.queue, 'keystall.tries': claimed.tries }, isFailed)
  countJob({ queue: claimed.queue, isFailed, seconds: (performance.now() - beganAt) / 1000 })
  await write(work, outcome).catch((error: unknown) => {
    log.warn({ err: error }, 'a job waits for the end of its lease')
  })
}

/** One round of a watch. Never throws: what was left is seen again. */
export async function performRound({ db, platform, watch }: { db: Db; platform: Platform; watch: Watch }) {
  const beganAt = performance.now()
  const span = beginSpan('internal')
  const isFailed = await within(span, () => watch.handle(db, platform)).then(
    () => false,
    (error: unknown) => {
      platform.log.warn({ err: error, watch: watch.name }, 'a round will be made again')
      return true
    },
  )
  endSpan(span, `round ${watch.name}`, { 'keystall.job': watch.name }, isFailed)
  countJob({ queue: watch.name, isFailed, seconds: (performance.now() - beganAt) / 1000 })
  return { isFailed }
}

/** No further try would help. */
class GivenUp extends Error {}

async function handle({ db, platform, performer, claimed, stopping }: Work, triesMax: number): Promise<void> {
  const { job } = performer
  if (claimed.tries > triesMax + crashesMax) throw new GivenUp('the process ended in every try')
  if (!Value.Check(job.schema, claimed.data)) throw new GivenUp('the data does not fit the job')
  const signal = AbortSignal.timeout(Math.max(job.leaseSeconds - 1, 1) * 1000)
  const attempt = { platform, tries: claimed.tries, isLast: claimed.tries >= triesMax, signal, stopping }
  // Checked by the schema that gave the handler its type.
  await performer.handle(db, claimed.data as never, attempt)
  forgetShown(platform, claimed)
}

/** What is kept to show of the store may have changed. */
function forgetShown(platform: Platform, { data }: ClaimedJob): void {
  const storeId: unknown = Object(data)['storeId']
  if (typeof storeId === 'string') platform.kept.forget(storeId)
}

function finish({ db, claimed, schedule }: Work): Promise<void> {
  if (!schedule) return deleteJob(db, claimed)
  return postponeJob(db, claimed, { seconds: schedule.everySeconds, error: null, isNewRound: true })
}

function setBack({ db, claimed, performer, schedule }: Work, isOver: boolean, error: string): Promise<void> {
  if (isOver && schedule) return postponeJob(db, claimed, { seconds: schedule.everySeconds, error, isNewRound: true })
  if (isOver) return failJob(db, claimed, error)
  const seconds = (performer.job.retrySeconds[claimed.tries - 1] ?? 0) * (0.9 + 0.2 * Math.random())
  return postponeJob(db, claimed, { seconds, error })
}

/** Keeps trying while the lease is ours, so that a short outage does not make the work be done twice. */
async function write({ performer, stopping }: Work, statement: () => Promise<void>): Promise<void> {
  const until = performance.now() + (performer.job.leaseSeconds / 2) * 1000
  for (;;) {
    try {
      return await statement()
    } catch (error) {
      if (stopping.aborted || performance.now() > until) throw error
      await sleep(500)
    }
  }
}

// Text columns refuse U+0000.
const textOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\u0000', '').slice(0, errorCharactersMax)
