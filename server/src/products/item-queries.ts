import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { ListedChunk, SealedChunk } from './item-sealing.ts'
import { aSlot } from './stock.ts'
import type { ItemPositionsRow, ProductRow } from './tables.ts'

/** Appending, removing, clearing and restoring take turns. */
export function lockPositions(tx: Tx, { storeId, id }: ProductRow): Promise<ItemPositionsRow> {
  return tx
    .selectFrom('itemPositions')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('productId', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Where the items began before a clearing that can still be undone; null when there is none. */
export function lockRestorable(
  tx: Tx,
  { storeId, id }: ProductRow,
  keptDays: number,
): Promise<Pick<ItemPositionsRow, 'clearedFrom' | 'firstPosition'>> {
  const isRecent = sql<boolean>`cleared_at > now() - make_interval(days => ${keptDays})`
  return tx
    .selectFrom('itemPositions')
    .select('firstPosition')
    .select((eb) => eb.case().when(isRecent).then(eb.ref('clearedFrom')).end().as('clearedFrom'))
    .where('storeId', '=', storeId)
    .where('productId', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updatePositions(
  tx: Tx,
  { storeId, id }: ProductRow,
  change: Partial<Pick<ItemPositionsRow, 'nextPosition' | 'firstPosition' | 'clearedFrom'>>,
): Promise<void> {
  await tx
    .updateTable('itemPositions')
    .set(change)
    .$if('clearedFrom' in change, (update) =>
      update.set({ clearedAt: change.clearedFrom === null ? null : sql<Date>`now()` }),
    )
    .where('storeId', '=', storeId)
    .where('productId', '=', id)
    .execute()
}

export async function insertItems(
  tx: Tx,
  { storeId, id }: ProductRow,
  firstPosition: number,
  chunk: SealedChunk,
): Promise<void> {
  await sql`
    insert into items (store_id, id, product_id, position, sealed, value_hash)
    select ${storeId}, item.id, ${id}, ${firstPosition}::bigint + item.index - 1,
      substring(${chunk.sealed}::bytea from item.start for item.length), item.hash
    from unnest(
      ${listOf(chunk.ids)}::uuid[], ${listOf(chunk.starts)}::integer[], ${listOf(chunk.lengths)}::integer[],
      ${listOf(chunk.hashes)}::bigint[]
    ) with ordinality item (id, start, length, hash, index)
  `.execute(tx)
}

/** How many of these values were on sale here before, and how many of them orders had. */
export async function countKnown(
  db: Tx,
  { storeId, id }: ProductRow,
  { firstPosition, nextPosition }: ItemPositionsRow,
  hashes: readonly string[],
): Promise<{ onSale: number; sold: number }> {
  if (nextPosition === 0) return { onSale: 0, sold: 0 }
  const { rows } = await sql<{ onSale: number; sold: number }>`
    select count(*) filter (where known.on_sale) as on_sale, count(*) filter (where known.sold) as sold
    from unnest(${listOf(hashes)}::bigint[]) listed (hash)
    cross join lateral (
      select bool_or(order_id is null) as on_sale, bool_or(order_id is not null) as sold
      from items
      where store_id = ${storeId} and product_id = ${id} and value_hash = listed.hash
        and position < ${nextPosition} and (order_id is not null or position >= ${firstPosition})
    ) known
  `.execute(db)
  return rows[0] ?? { onSale: 0, sold: 0 }
}

/** Which of these values are on sale here, and which orders have, by their places in the list. */
export async function selectKnown(
  db: Db,
  { storeId, id }: ProductRow,
  hashes: readonly string[],
): Promise<{ place: number; onSale: boolean; sold: boolean }[]> {
  const { rows } = await sql<{ place: number; onSale: boolean; sold: boolean }>`
    select listed.index - 1 as place, known.on_sale, known.sold
    from unnest(${listOf(hashes)}::bigint[]) with ordinality listed (hash, index)
    cross join lateral (
      select bool_or(order_id is null) as on_sale, bool_or(order_id is not null) as sold
      from items
      where store_id = ${storeId} and product_id = ${id} and value_hash = listed.hash
        and (order_id is not null or position >= (
          select first_position from item_positions where store_id = ${storeId} and product_id = ${id}
        ))
    ) known
    where known.on_sale or known.sold
  `.execute(db)
  return rows
}

/** The oldest of each value, as many as it is listed; never one that an order has. */
export async function deleteListed(
  tx: Tx,
  { storeId, id }: ProductRow,
  { firstPosition }: ItemPositionsRow,
  { hashes, times }: ListedChunk,
): Promise<number> {
  // `num_nonnulls` keeps the planner from the index of available items, where it would have to look at every one.
  const { rows } = await sql<{ removed: number }>`
    with listed as (
      select item.id
      from unnest(${listOf(hashes)}::bigint[], ${listOf(times)}::integer[]) listed (hash, times)
      cross join lateral (
        select id from items
        where store_id = ${storeId} and product_id = ${id} and value_hash = listed.hash
          and num_nonnulls(order_id) = 0 and position >= ${firstPosition}
        order by position limit listed.times
        for update
      ) item
    ), removed as (
      delete from items where store_id = ${storeId} and id = any(array(select id from listed)) returning id
    )
    select count(*) as removed from removed
  `.execute(tx)
  return rows[0]?.removed ?? 0
}

export async function countAvailable(tx: Tx, { storeId, id }: ProductRow, change: number): Promise<void> {
  await tx
    .updateTable('productCounts')
    .set((eb) => ({ available: eb('available', '+', change) }))
    .where('storeId', '=', storeId)
    .where('productId', '=', id)
    .where('slot', '=', aSlot())
    .execute()
}

/** Waits for every order that is being made of the product, and makes the next ones begin behind the cleared items. */
export async function clearCounts(tx: Tx, { storeId, id }: ProductRow, firstPosition: number): Promise<void> {
  await tx
    .updateTable('productCounts')
    .set({ available: 0, firstPosition })
    .where('storeId', '=', storeId)
    .where('productId', '=', id)
    .execute()
}

/** Takes all slots: while they are held, no order takes or returns an item of the product. */
export async function lockCounts(tx: Tx, { storeId, id }: ProductRow): Promise<void> {
  await sql`
    select from product_counts where store_id = ${storeId} and product_id = ${id} order by slot for update
  `.execute(tx)
}

/** Brings back what lies between; answers how many. */
export async function restoreCounts(
  tx: Tx,
  { storeId, id }: ProductRow,
  { from, to }: { from: number; to: number },
): Promise<number> {
  const { rows } = await sql<{ restored: number }>`
    with restored as (
      select count(*) as items from items
      where store_id = ${storeId} and product_id = ${id} and order_id is null
        and position >= ${from} and position < ${to}
    ), counted as (
      update product_counts set first_position = ${from},
        available = available + case when slot = 0 then (select items from restored) else 0 end
      where store_id = ${storeId} and product_id = ${id}
    )
    select items as restored from restored
  `.execute(tx)
  return rows[0]?.restored ?? 0
}

export async function markHasItems(tx: Tx, { storeId, id }: ProductRow, hasItems: boolean): Promise<void> {
  await tx
    .updateTable('products')
    .set({ hasItems })
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('hasItems', '=', !hasItems)
    .execute()
}

/** Cleared items that can no longer be brought back; at most so many. */
export async function deleteCleared(
  db: Db,
  { storeId, productId }: { storeId: string; productId: string },
  { keptDays, limit }: { keptDays: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from items where store_id = ${storeId} and order_id is null and id = any(array(
      select items.id from item_positions positions
      join items on items.store_id = ${storeId} and items.product_id = ${productId} and items.order_id is null
        and items.position < case
          when positions.cleared_at > now() - make_interval(days => ${keptDays}) then positions.cleared_from
          else positions.first_position
        end
      where positions.store_id = ${storeId} and positions.product_id = ${productId}
      order by items.position limit ${limit}
    ))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Thousands of values as one text, which pg would otherwise quote one by one. */
function listOf(values: readonly (string | number)[]) {
  return sql`string_to_array(${values.join(' ')}, ' ')`
}
