import { randomInt } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import { slots } from './queries.ts'

export interface StockLine {
  productId: string
  quantity: number
}

export interface TakenItem {
  storeId: string
  productId: string
  itemId: string
  position: number
  sealed: Buffer
}

/** More than a second's work for the database; larger orders take several statements. */
export const itemsAStatement = 10_000

/**
 * Gives the order the oldest items of each product. No product may be named twice.
 *
 * Fewer items than asked for: the caller rolls back. They may be sold out, or others hold them in transactions that are
 * rolled back a moment later; so a caller that sees enough stock afterwards tries again.
 */
export async function takeItems(tx: Tx, { storeId, orderId, lines }: Taking): Promise<TakenItem[]> {
  const taken: TakenItem[] = []
  for (const batch of batchesOf(lines)) {
    const wanted = batch.reduce((sum, { quantity }) => sum + quantity, 0)
    const rows = await takeBatch(tx, { storeId, orderId, lines: batch })
    taken.push(...rows)
    if (rows.length < wanted) break
  }
  return taken
}

/** In the order of ids, in which the slots are locked. */
function batchesOf(lines: readonly StockLine[]): StockLine[][] {
  const batches: StockLine[][] = []
  let open: StockLine[] = []
  let room = itemsAStatement
  for (const { productId, quantity } of lines.toSorted((a, b) => (a.productId < b.productId ? -1 : 1))) {
    for (let left = quantity; left > 0; ) {
      const part = Math.min(left, room)
      open.push({ productId, quantity: part })
      left -= part
      room -= part
      if (room > 0) continue
      batches.push(open)
      open = []
      room = itemsAStatement
    }
  }
  return open.length > 0 ? [...batches, open] : batches
}

async function takeBatch(tx: Tx, taking: Taking): Promise<TakenItem[]> {
  const { rows } = await sql<TakenItem>`
    with ${takingItems(taking)} select * from taken order by product_id, position
  `.execute(tx)
  return rows
}

export interface Taking {
  storeId: string
  orderId: string
  lines: readonly StockLine[]
}

/**
 * Parts of a statement, of which `taken` gives the items: at most `itemsAStatement`, and fewer than asked for under the
 * same conditions as `takeItems`.
 */
export function takingItems({ storeId, orderId, lines }: Taking): RawBuilder<unknown> {
  const slot = slotOf(orderId)
  const productIds = lines.map(({ productId }) => productId)
  // Locking a slot first tells where the items begin and keeps clearing out. An item that is somebody's by now, whatever
  // was picked, is not taken; `num_nonnulls` says so without offering the planner the index of available items. It takes
  // an array for a few ids, and a join for so many that it would read the whole table.
  return sql`
    slot as (${lockingCounts({ storeId, orderId, productIds })}), picked as (
      select item.id
      from unnest(${productIds}::uuid[], ${lines.map(({ quantity }) => quantity)}::integer[]) line (product_id, quantity)
      join slot on slot.product_id = line.product_id
      cross join lateral (
        select id from items
        where store_id = ${storeId} and product_id = line.product_id and order_id is null
          and position >= slot.first_position
        order by position limit line.quantity
        for update skip locked
      ) item
    ), taken as (
      update items set order_id = ${orderId}, taken_at = now()
      where store_id = ${storeId} and id = any(array(select id from picked)) and num_nonnulls(order_id) = 0
      returning store_id, product_id, id as item_id, position, sealed
    ), counted as (
      update product_counts counts set available = counts.available - part.items
      from (select product_id, count(*) as items from taken group by product_id) part
      where counts.store_id = ${storeId} and counts.product_id = part.product_id and counts.slot = ${slot}
        and counts.product_id = any(${productIds}::uuid[])
    )
  `
}

/**
 * Gives an order's items back, of all products or of some, each to its old place; what the seller cleared meanwhile
 * stays cleared, and what was replaced stays where it is. Answers the products that have more to sell now.
 */
export async function returnItems(
  tx: Tx,
  { storeId, orderId, productIds = null }: { storeId: string; orderId: string; productIds?: readonly string[] | null },
): Promise<StockLine[]> {
  const quantities = new Map<string, number>()
  let returned: number
  do {
    const rows = await returnBatch(tx, { storeId, orderId, productIds })
    returned = rows[0]?.returned ?? 0
    for (const { productId, quantity } of rows) quantities.set(productId, (quantities.get(productId) ?? 0) + quantity)
  } while (returned === itemsAStatement)
  return [...quantities]
    .map(([productId, quantity]) => ({ productId, quantity }))
    .filter(({ quantity }) => quantity > 0)
}

async function returnBatch(
  tx: Tx,
  { storeId, orderId, productIds }: { storeId: string; orderId: string; productIds: readonly string[] | null },
): Promise<(StockLine & { returned: number })[]> {
  const slot = slotOf(orderId)
  const { rows } = await sql<StockLine & { returned: number }>`
    with slot as (
      select product_id, first_position from product_counts
      where store_id = ${storeId} and slot = ${slot} and product_id = any(array(
        select distinct product_id from items
        where store_id = ${storeId} and order_id = ${orderId} and replaced_at is null
          and (${productIds}::uuid[] is null or product_id = any(${productIds}::uuid[]))
      ))
      order by product_id
      for update
    ), returned as (
      update items set order_id = null, taken_at = null
      where store_id = ${storeId} and order_id = ${orderId} and id = any(array(
        select id from items
        where store_id = ${storeId} and order_id = ${orderId} and replaced_at is null
          and product_id = any(array(select product_id from slot))
        limit ${itemsAStatement}
      ))
      returning product_id, position
    ), part as (
      select returned.product_id, count(*) filter (where returned.position >= slot.first_position) as items
      from returned join slot on slot.product_id = returned.product_id
      group by returned.product_id
    ), counted as (
      update product_counts counts set available = counts.available + part.items
      from part
      where counts.store_id = ${storeId} and counts.product_id = part.product_id and counts.slot = ${slot}
    )
    select product_id, items as quantity, (select count(*) from returned) as returned from part order by product_id
  `.execute(tx)
  return rows
}

/** Raises `amountSold`; negative quantities lower it. */
export async function countSold(tx: Tx, sale: Taking): Promise<void> {
  await sql`with ${countingSold(sale)} select 1`.execute(tx)
}

/** The same as parts of a statement. */
export function countingSold(sale: Taking): RawBuilder<unknown> {
  const productIds = sale.lines.map(({ productId }) => productId)
  return sql`slot as (${lockingCounts({ ...sale, productIds })}), sold as (${addingSold(sale)})`
}

/** For a statement of which another part, `slot`, has locked these counters. */
export function addingSold({ storeId, orderId, lines }: Taking): RawBuilder<unknown> {
  const productIds = lines.map(({ productId }) => productId)
  return sql`
    update product_counts counts set sold = counts.sold + line.quantity
    from unnest(${productIds}::uuid[], ${lines.map(({ quantity }) => quantity)}::integer[]) line (product_id, quantity)
    join slot on slot.product_id = line.product_id
    where counts.store_id = ${storeId} and counts.product_id = line.product_id and counts.slot = ${slotOf(orderId)}
      and counts.product_id = any(${productIds}::uuid[])
  `
}

/**
 * The order's counters of these products, in the order of ids. Whoever changes other counters too locks these first, so
 * that nobody waits in a ring.
 */
export function lockingCounts({
  storeId,
  orderId,
  productIds,
}: {
  storeId: string
  orderId: string
  productIds: readonly string[]
}): RawBuilder<unknown> {
  return sql`
    select product_id, first_position from product_counts
    where store_id = ${storeId} and product_id = any(${productIds}::uuid[]) and slot = ${slotOf(orderId)}
    order by product_id
    for update
  `
}

/** An order keeps to one slot, so that taking and counting in one transaction never waits in a ring. */
function slotOf(orderId: string): number {
  return Number.parseInt(orderId.slice(-1), slots)
}

export function aSlot(): number {
  return randomInt(slots)
}
