import { listedVisibilities } from '@keystall/contract/shapes/product'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'

/** Where a listed product stands in its store, and no more: a store may have many thousands. */
export interface Place {
  id: string
  isPinned: boolean
  position: number
}

/** All listed products that hold each of the words and the tag; pinned ones first, then in the seller's order. */
export async function selectPlaces(
  db: Db,
  store: Pick<StoreRow, 'id'>,
  { words, tag }: { words: readonly string[]; tag: string },
): Promise<Place[]> {
  const conditions = [
    ...words.map((word) => {
      const pattern = `%${word.replace(/[\\%_]/g, (mark) => `\\${mark}`)}%`
      return sql`(name ilike ${pattern} or array_to_string(tags, ' ') ilike ${pattern} or description ilike ${pattern})`
    }),
    ...(tag === ''
      ? []
      : [sql`exists (select from unnest(tags) each_tag where lower(each_tag) = lower(${tag}::text))`]),
  ]
  const { rows } = await sql<Place>`
    select id, is_pinned, position from products
    where ${listedOf(store)} and ${sql.join([sql`true`, ...conditions], sql` and `)}
    order by is_pinned desc, position, id
  `.execute(db)
  return rows
}

/** The tags that most of them have. */
export async function selectCommonTags(db: Db, store: Pick<StoreRow, 'id'>, max: number): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select tag from products, unnest(tags) tag where ${listedOf(store)}
    group by tag order by count(*) desc, min(position), tag limit ${max}
  `.execute(db)
  return rows.map(({ tag }) => tag)
}

function listedOf({ id }: Pick<StoreRow, 'id'>) {
  return sql`store_id = ${id} and visibility = any(${[...listedVisibilities]}::smallint[]) and deleted_at is null`
}
