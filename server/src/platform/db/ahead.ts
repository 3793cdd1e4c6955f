import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { statement } from './statement.ts'
import type { SqlType } from './together.ts'

/** What a request asks for, as far as it can be said before anybody knows who asks. */
export interface Asked {
  path: Record<string, string | number>
  query: Record<string, unknown>
}

/**
 * What an endpoint shows, as one JSON value that the database makes. It comes with the caller's admission, in the same
 * round trip, and is looked at only when the caller may see it.
 */
export interface Ahead<Shown = unknown> {
  given(asked: Asked): object
  /** What of it, beside the store, differs from one request to the next. */
  differing: Record<string, SqlType>
  /** Null when there is no such thing. Made once: places stand where the values will be. */
  json(db: Db, given: never): RawBuilder<unknown>
  /** Another text whenever anything of it has changed. */
  versions(db: Db, given: never): RawBuilder<string>
  read(json: unknown): Shown
}

export function ahead<Given extends { storeId: string }, Shown>(parts: {
  given(asked: Asked): Given
  /** Everything that is not said by the store: what was left out, all would be answered as the first is. */
  differing: Record<Exclude<keyof Given & string, 'storeId' | 'storeIds'>, SqlType>
  json(db: Db, given: Given): RawBuilder<unknown>
  versions(db: Db, given: Given): RawBuilder<string>
  read(json: unknown): Shown
}): Ahead<Shown> {
  return parts
}

export interface Wanted {
  ahead: Ahead
  given: object
}

const alone = new WeakMap<Ahead, (db: Db, given: object) => Promise<{ shown: unknown }[]>>()

/** For whoever was admitted otherwise. */
export async function readAlone(db: Db, { ahead, given }: Wanted): Promise<unknown> {
  const read =
    alone.get(ahead) ?? statement((db, given: object) => db.selectNoFrom(ahead.json(db, given as never).as('shown')))
  alone.set(ahead, read)
  const [row] = await read(db, given)
  return row?.shown ?? null
}

/** The same, beside what a statement selects anyway. */
export function shownBy(ahead: Ahead | undefined, db: Db, given: object): RawBuilder<unknown> {
  return ahead ? ahead.json(db, given as never) : sql`null`
}

export function versionsBy(ahead: Ahead | undefined, db: Db, given: object): RawBuilder<string> {
  return ahead ? ahead.versions(db, given as never) : sql`''`
}
