import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Db } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import { every, job, type Performer, perform, type Schedule, type Watch } from './job.ts'
import { listenForJobs } from './listener.ts'
import { type ClaimedJob, claimJobs, deleteFailedJobs, releaseJobs, selectDue, upsertSchedule } from './queries.ts'
import { createAlarm, onAnnounced } from './wake.ts'
import { performJob, performRound } from './work.ts'

export interface Jobs {
  /** Begins no more; waits for what is under way, at most so long, and hands the rest to other processes. */
  stop(waitSeconds?: number): Promise<void>
}

export interface JobsOptions {
  readonly db: Db
  readonly url: string
  readonly platform: Platform
  readonly performers: readonly Performer[]
  readonly schedules?: readonly Schedule[]
  readonly watches?: readonly Watch[]
}

/** Jobs promised elsewhere while the listener is deaf, and deferred ones of other processes, wait this long at most. */
const idleMs = 5000
/** However often work of this process is announced. */
const lookEveryMs = 20
/** A due job that nobody could claim is locked by a transaction about to end. */
const lockedMs = 50
/** After a round that failed. */
const failedRoundMs = 1000
const failedKeptDays = 30

const pruneFailedJobs = job('prune-failed-jobs', Type.Object({}))

export const pruningFailed = perform(pruneFailedJobs, (db) => deleteFailedJobs(db, failedKeptDays))

/** Returns at once: nothing of the start waits for the database. */
export function startJobs({ db, url, platform, performers, schedules = [], watches = [] }: JobsOptions): Jobs {
  const byQueue = new Map([...performers, pruningFailed].map((performer) => [performer.job.name, performer]))
  const scheduled = new Map(
    [...schedules, every(24 * 60 * 60, pruneFailedJobs, {})]
      .filter(({ isNeeded }) => isNeeded?.(platform) ?? true)
      .map((each) => [scheduleId(each), each]),
  )
  const running = new Map<ClaimedJob, Promise<void>>()
  /** Watches that have a round under way, or pause after it. */
  const rounds = new Map<Watch, Promise<void>>()
  const stopping = new AbortController()
  const alarm = createAlarm()
  let lookedAt = 0

  const forget = onAnnounced(() => {
    alarm.ringWithin(Math.max(0, lookedAt + lookEveryMs - performance.now()))
  })
  const listener = listenForJobs(url, () => alarm.ringWithin(0))
  const ended = loop()

  async function loop(): Promise<void> {
    let areSchedulesKept = false
    while (!stopping.signal.aborted) {
      let pauseMs = idleMs
      try {
        if (!areSchedulesKept) for (const [id, schedule] of scheduled) await upsertSchedule(db, id, schedule)
        areSchedulesKept = true
        pauseMs = Math.min(idleMs, await beginDue())
      } catch (error) {
        platform.log.warn({ err: error }, 'jobs wait for the database')
        pauseMs = 1000
      }
      if (!stopping.signal.aborted) await alarm.sleep(pauseMs)
    }
  }

  /** How long until there may be more to begin. */
  async function beginDue(): Promise<number> {
    const openings = openingsNow()
    lookedAt = performance.now()
    const { dueMs, isWaiting } = await selectDue(db, openings, watches)
    for (const [index, watch] of watches.entries()) if (isWaiting[index]) beginRound(watch)
    if (dueMs === null || dueMs > 0) return dueMs ?? idleMs
    const claimed = await claimJobs(db, openings, newId())
    for (const [queue, jobs] of Map.groupBy(claimed, ({ queue }) => queue)) begin(queue, jobs)
    return claimed.length > 0 ? 0 : lockedMs
  }

  function openingsNow() {
    const counts = new Map<string, number>()
    for (const { queue } of running.keys()) counts.set(queue, (counts.get(queue) ?? 0) + 1)
    return [...byQueue.values()]
      .map(({ job }) => ({ job, free: job.atOnce - (counts.get(job.name) ?? 0) }))
      .filter(({ free }) => free > 0)
  }

  function begin(queue: string, jobs: readonly ClaimedJob[]): void {
    const performer = byQueue.get(queue)
    if (!performer) return
    for (const claimed of jobs) {
      const schedule = scheduled.get(claimed.id)
      const work = performJob({ db, platform, performer, claimed, schedule, stopping: stopping.signal })
      running.set(
        claimed,
        work.finally(() => {
          running.delete(claimed)
          alarm.ringWithin(0)
        }),
      )
    }
  }

  function beginRound(watch: Watch): void {
    if (rounds.has(watch)) return
    const end = () => {
      rounds.delete(watch)
      alarm.ringWithin(0)
    }
    rounds.set(
      watch,
      performRound({ db, platform, watch }).then(({ isFailed }) => {
        setTimeout(end, isFailed ? failedRoundMs : watch.pauseMs).unref()
      }),
    )
  }

  return {
    async stop(waitSeconds = 8) {
      stopping.abort()
      forget()
      alarm.ringWithin(0)
      await Promise.all([listener.stop(), ended])
      await settledWithin(waitSeconds * 1000, [...running.values(), ...rounds.values()])
      if (running.size === 0) return
      await releaseJobs(db, [...running.keys()]).catch((error: unknown) => {
        platform.log.warn({ err: error }, 'unfinished jobs wait for the end of their leases')
      })
    },
  }
}

async function settledWithin(ms: number, work: Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([Promise.allSettled(work), timeout])
  clearTimeout(timer)
}

/** The same in every process, so that a schedule has one row. */
function scheduleId({ job }: Schedule): string {
  const hex = createHash('sha256').update(`schedule ${job.name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
