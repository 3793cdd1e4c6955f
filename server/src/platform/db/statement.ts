import { type Compilable, CompiledQuery, type RawBuilder } from 'kysely'
import { askAlone } from './bare.ts'
import type { Db } from './database.ts'

/** Stands where a value will be. */
export class Place {
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
  build: Build<Given, Row>,
): (db: Db, given: Given) => Promise<Row[]> {
  const filled = madeOnce(build)
  return async (db, given) => {
    const { text, values } = filled(db, given)
    const alone = askAlone<Row>(db, { text, values })
    if (alone) return alone
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, values) as CompiledQuery<Row>)
    return rows
  }
}

type Build<Given, Row> = (db: Db, given: Given) => Compilable<Row> | RawBuilder<Row>

/** Fills the places of a text that is made when it is first needed. */
export function madeOnce<Given extends object>(build: Build<Given, unknown>) {
  let made: { sql: string; parameters: readonly unknown[] } | undefined
  return (db: Db, given: Given): { text: string; values: unknown[] } => {
    made ??= compiled(db, build(db, places as Given))
    const named = given as Record<string, unknown>
    const values = made.parameters.map((value) => (value instanceof Place ? named[value.name] : value))
    return { text: made.sql, values }
  }
}

function compiled<Row>(db: Db, built: Compilable<Row> | RawBuilder<Row>): CompiledQuery<Row> {
  return 'isRawBuilder' in built ? built.compile(db) : built.compile()
}

const places: object = new Proxy({}, { get: (_, name) => new Place(String(name)) })
