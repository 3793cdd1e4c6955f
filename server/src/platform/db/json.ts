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

/** A row that PostgreSQL made into JSON, as it would have come by itself: names as here, moments as dates. */
export function rowOfJson<Row extends object>(json: unknown, moments: readonly (keyof Row & string)[]): Row {
  const row: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(Object(json))) row[camelCase(name)] = value
  for (const name of moments) {
    const text = row[name]
    if (typeof text === 'string') row[name] = new Date(text)
  }
  return row as Row
}

const camelNames = new Map<string, string>()

function camelCase(name: string): string {
  const known = camelNames.get(name)
  if (known !== undefined) return known
  const made = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  camelNames.set(name, made)
  return made
}

/** A value for a jsonb column. Without it pg would send an array as a PostgreSQL array. */
export function jsonb<T>(value: T): RawBuilder<T> {
  return sql`${JSON.stringify(value)}::jsonb`
}
