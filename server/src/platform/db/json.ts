import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * A timestamp for use inside JSON built by PostgreSQL, in the very form of `Date.toISOString`.
 * Left alone, PostgreSQL would write microseconds and an offset there.
 */
export function isoTimestamp<T extends Date | null>(
  timestamp: Expression<T>,
): RawBuilder<null extends T ? string | null : string> {
  return sql`to_char(${timestamp} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** A value for a jsonb column. Without it pg would send an array as a PostgreSQL array. */
export function jsonb<T>(value: T): RawBuilder<T> {
  return sql`${JSON.stringify(value)}::jsonb`
}
