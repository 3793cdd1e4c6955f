import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { Job, Schedule, Watch } from './job.ts'

export interface ClaimedJob {
  id: string
  queue: string
  data: unknown
  tries: number
  lease: string
}

/** A job of which so many more tries may begin here. */
export interface Opening {
  readonly job: Job
  readonly free: number
}

export interface Due {
  /** Until the next job is due, by the database's clock; null when none waits. */
  dueMs: number | null
  /** For each watch, whether something waits. */
  isWaiting: readonly boolean[]
}

export async function selectDue(db: Db, openings: readonly Opening[], watches: readonly Watch[]): Promise<Due> {
  const { rows } = await sql<Due>`
    select (extract(epoch from min(next.run_at) - now()) * 1000)::double precision as "dueMs",
      json_build_array(${sql.join(watches.map(({ isWaiting }) => isWaiting()))}) as "isWaiting"
    from unnest(${namesOf(openings)}::text[]) as open (queue)
    cross join lateral (
      select run_at from jobs
      where jobs.queue = open.queue and failed_at is null
      order by run_at limit 1
    ) next
  `.execute(db)
  return rows[0] ?? { dueMs: null, isWaiting: [] }
}

/** A claimed job is due again when its lease ends, unless it is finished first. */
export async function claimJobs(db: Db, openings: readonly Opening[], lease: string): Promise<ClaimedJob[]> {
  const { rows } = await sql<ClaimedJob>`
    with due as (
      select job.id, open.lease_seconds
      from unnest(
        ${namesOf(openings)}::text[],
        ${openings.map(({ free }) => free)}::integer[],
        ${openings.map(({ job }) => job.leaseSeconds)}::integer[]
      ) as open (queue, free, lease_seconds)
      cross join lateral (
        select id from jobs
        where jobs.queue = open.queue and failed_at is null and run_at <= now()
        order by run_at limit open.free
        for update skip locked
      ) job
    )
    update jobs
    set lease = ${lease}, tries = tries + 1, run_at = now() + make_interval(secs => due.lease_seconds)
    from due where jobs.id = due.id
    returning jobs.id, jobs.queue, jobs.data, jobs.tries, jobs.lease
  `.execute(db)
  return rows
}

/** Nothing happens when the lease has gone to another worker. */
export async function deleteJob(db: Db, { id, lease }: ClaimedJob): Promise<void> {
  await sql`delete from jobs where id = ${id} and lease = ${lease}`.execute(db)
}

export interface Postponement {
  readonly seconds: number
  readonly error: string | null
  /** A scheduled job begins to count anew. */
  readonly isNewRound?: boolean
}

export async function postponeJob(db: Db, { id, lease }: ClaimedJob, to: Postponement): Promise<void> {
  // When the same key waits again already, that job does for both.
  await sql`
    with twin as (
      delete from jobs using jobs other
      where jobs.id = ${id} and jobs.lease = ${lease} and other.queue = jobs.queue and other.key = jobs.key
        and other.lease is null and other.failed_at is null
      returning jobs.id
    )
    update jobs
    set lease = null, last_error = ${to.error}, tries = case when ${to.isNewRound ?? false} then 0 else tries end,
      run_at = now() + make_interval(secs => ${to.seconds}::double precision)
    where id = ${id} and lease = ${lease} and not exists (select from twin)
  `.execute(db)
}

export async function failJob(db: Db, { id, lease }: ClaimedJob, error: string): Promise<void> {
  await sql`update jobs set failed_at = now(), last_error = ${error} where id = ${id} and lease = ${lease}`.execute(db)
}

/** The try did not count: another worker may begin at once. */
export async function releaseJobs(db: Db, jobs: readonly ClaimedJob[]): Promise<void> {
  await sql`
    update jobs set run_at = now(), tries = greatest(tries - 1, 0)
    from ${leases(jobs)}
    where jobs.id = held.id and jobs.lease = held.lease
  `.execute(db)
}

export async function upsertSchedule(db: Db, id: string, { job, everySeconds, data }: Schedule): Promise<void> {
  await sql`
    insert into jobs (id, queue, data, run_at)
    values (${id}, ${job.name}, ${JSON.stringify(data)}::jsonb, now() + make_interval(secs => ${everySeconds}))
    on conflict (id) do update
    set data = excluded.data, failed_at = null, run_at = least(jobs.run_at, excluded.run_at)
    where jobs.lease is null
      and (jobs.run_at > excluded.run_at or jobs.data <> excluded.data or jobs.failed_at is not null)
  `.execute(db)
}

export async function deleteFailedJobs(db: Db, keptDays: number): Promise<void> {
  await sql`delete from jobs where failed_at < now() - make_interval(days => ${keptDays})`.execute(db)
}

const leases = (jobs: readonly ClaimedJob[]) =>
  sql`unnest(${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(({ lease }) => lease)}::uuid[]) as held (id, lease)`

const namesOf = (openings: readonly Opening[]) => openings.map(({ job }) => job.name)
