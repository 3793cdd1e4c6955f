import { type Compilable, CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

/** Stands where a value will be. */
class Place {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement whose text is made once, when it is first needed: to build and compile it each time takes longer than to
 * send it. The builder may hand the given values on, and nothing else: it never sees them.
 */
export function statement<Given extends object, Row>(
  build: (db: Db, given: Given) => Compilable<Row>,
): (db: Db, given: Given) => Promise<Row[]> {
  let made: { sql: string; parameters: readonly unknown[] } | undefined
  return async (db, given) => {
    made ??= build(db, places as Given).compile()
    const values = { ...given } as Record<string, unknown>
    const parameters = made.parameters.map((value) => (value instanceof Place ? values[value.name] : value))
    const { rows } = await db.executeQuery(CompiledQuery.raw(made.sql, parameters) as CompiledQuery<Row>)
    return rows
  }
}

const places: object = new Proxy({}, { get: (_, name) => new Place(String(name)) })
