import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { Window } from '#platform/db/paging'
import type { ProductRow } from './tables.ts'

export interface ItemSpan {
  total: number
  /** Where the oldest available item stands; null when there is none. */
  head: number | null
  nextPosition: number
  firstPosition: number
}

export async function selectItemSpan(db: Db, { storeId, id }: ProductRow): Promise<ItemSpan> {
  const { rows } = await sql<ItemSpan>`
    select positions.first_position, positions.next_position,
      (select sum(available) from product_counts where store_id = ${storeId} and product_id = ${id}) as total,
      (
        select position from items
        where store_id = ${storeId} and product_id = ${id} and order_id is null
          and position >= positions.first_position
        order by position limit 1
      ) as head
    from item_positions positions where positions.store_id = ${storeId} and positions.product_id = ${id}
  `.execute(db)
  return rows[0] ?? { total: 0, head: null, nextPosition: 0, firstPosition: 0 }
}

/** In the order in which they were appended. */
export async function selectItems(
  db: Db,
  { storeId, id }: ProductRow,
  span: ItemSpan,
  window: Window,
): Promise<{ sealed: Buffer }[]> {
  const place = isWithoutGaps(span) ? placeOf(span, window) : await findPlace(db, { storeId, id }, span, window)
  // Between two positions: a plan that is good even where the planner knows nothing of the table yet.
  const { rows } = await sql<{ sealed: Buffer }>`
    select sealed from items
    where store_id = ${storeId} and product_id = ${id} and order_id is null
      and position >= ${place.first} and position <= ${place.last}
    order by position
  `.execute(db)
  return rows
}

/** Items are sold from the front, so what is left has no gaps as a rule, and the place of a page is known. */
function isWithoutGaps({ total, head, nextPosition }: ItemSpan): boolean {
  return head !== null && nextPosition - head === total
}

function placeOf({ head }: ItemSpan, { limit, offset }: Window): { first: number; last: number } {
  const first = (head ?? 0) + offset
  return { first, last: first + limit - 1 }
}

/** Counted on the index alone, from the nearer end. */
async function findPlace(
  db: Db,
  { storeId, id }: Pick<ProductRow, 'storeId' | 'id'>,
  { total, firstPosition }: ItemSpan,
  { limit, offset }: Window,
): Promise<{ first: number; last: number }> {
  const isNearEnd = offset > total / 2
  const shown = Math.min(limit, total - offset)
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(position) as first, max(position) as last
    from (
      select position from items
      where store_id = ${storeId} and product_id = ${id} and order_id is null and position >= ${firstPosition}
      order by position ${isNearEnd ? sql`desc` : sql``}
      limit ${shown} offset ${isNearEnd ? total - offset - shown : offset}
    ) page
  `.execute(db)
  return { first: rows[0]?.first ?? 0, last: rows[0]?.last ?? -1 }
}
