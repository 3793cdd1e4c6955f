import { setTimeout as sleep } from 'node:timers/promises'

/** What jobs and last uses write without being asked, and what counts refusals. */
const restless = new Set([
  'jobs',
  'schema_migrations',
  'webhook_lanes',
  'webhook_deliveries',
  'webhook_attempts',
  'webhook_hosts',
  'sign_in_failures',
  'coupon_guesses',
  'store_visits',
  'store_visitors',
])

const restlessColumns = ['last_used', 'last_seen', 'last_used_at', 'last_seen_at']

/** A short text for each table. */
export type Look = () => Promise<Record<string, string>>

export type Query = (text: string) => Promise<Record<string, unknown>[]>

const restMs = 10_000

/** A short text for each table that differs when any of its rows does; with jobs, once none is due or being done. */
export async function checksumming(query: Query, { hasJobs }: { hasJobs: boolean }): Promise<Look> {
  const columns = await query(`
    select c.table_name as "table", string_agg(format('%I', c.column_name), ', ' order by c.ordinal_position) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.column_name not in (${restlessColumns.map((name) => `'${name}'`).join(', ')})
    group by c.table_name`)
  const parts = columns
    .filter(({ table }) => !restless.has(String(table)))
    .map(
      ({ table, columns }) =>
        `select '${String(table)}' as "table", count(*) || ' ' || coalesce(sum(hashtextextended(row(${String(columns)})::text, 0)::numeric), 0) as sum from "${String(table)}"`,
    )
  const statement = parts.join(' union all ')
  return async () => {
    if (hasJobs) await untilAtRest(query)
    const rows = await query(statement)
    return Object.fromEntries(rows.map(({ table, sum }) => [String(table), String(sum)]))
  }
}

/** What was taken before may still be carried out by jobs: those that are due or under way are waited for. */
async function untilAtRest(query: Query): Promise<void> {
  const until = performance.now() + restMs
  while (performance.now() < until) {
    const busy = await query(
      `select 1 where exists (select from jobs where failed_at is null and (lease is not null or run_at <= now()))
        or exists (select from events where number is null)`,
    )
    if (busy.length === 0) return
    await sleep(20)
  }
}
