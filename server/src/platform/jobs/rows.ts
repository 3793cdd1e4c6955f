import { sql } from 'kysely'
import type { Insertion } from '#platform/db/at-end'
import { wakeWorkers } from './wake.ts'

export interface NewJob {
  readonly id: string
  readonly queue: string
  readonly key: string | null
  readonly data: unknown
  /** Until it is due. */
  readonly seconds: number
}

// Touching the waiting job keeps workers off it until this transaction has ended, so that they see its changes.
export const jobRows: Insertion<NewJob> = {
  name: 'job',
  insert: (jobs) => sql`
    insert into jobs (id, queue, key, data, run_at)
    select id, queue, key, data, now() + make_interval(secs => seconds)
    from jsonb_to_recordset(${JSON.stringify(distinct(jobs))}::jsonb) as new (
      id uuid, queue text, key text, data jsonb, seconds double precision
    )
    on conflict (queue, key) where key is not null and lease is null and failed_at is null
    do update set run_at = least(jobs.run_at, excluded.run_at)
  `,
  beside: (tx, jobs) => wakeWorkers(tx, { isDue: jobs.some(({ seconds }) => seconds === 0) }),
}

/** One of each key, the soonest; in one order, so that two transactions never wait in a ring. */
function distinct(jobs: readonly NewJob[]): NewJob[] {
  const soonest = new Map<string, NewJob>()
  for (const job of jobs) {
    const name = job.key === null ? job.id : `${job.queue} ${job.key}`
    const known = soonest.get(name)
    if (!known || job.seconds < known.seconds) soonest.set(name, job)
  }
  return [...soonest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, job]) => job)
}
