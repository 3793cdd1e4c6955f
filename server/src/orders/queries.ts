import { type RawBuilder, sql, type Updateable } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { Tables } from '#platform/db/tables'
import type { StoreRow } from '#stores/tables'
import type { OrderLineRow, OrderRow, OrderStatus } from './tables.ts'

export function selectOrder(db: Db, store: Pick<StoreRow, 'id'>, id: string): Promise<OrderRow | undefined> {
  return db.selectFrom('orders').selectAll().where('storeId', '=', store.id).where('id', '=', id).executeTakeFirst()
}

/** Every change of an order begins here: changes of one order take turns. */
export function lockOrderRow(
  tx: Tx,
  { storeId, orderId }: { storeId: string; orderId: string },
): Promise<OrderRow | undefined> {
  return tx
    .selectFrom('orders')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst()
}

/** By the database's clock. */
export async function isOrderDue(tx: Tx, order: OrderRow): Promise<boolean> {
  const row = await tx
    .selectFrom('orders')
    .select('id')
    .where('storeId', '=', order.storeId)
    .where('id', '=', order.id)
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

type Moments = 'expiresAt' | 'paidAt' | 'deliveredAt'

/** Moments may be told in SQL: the database's clock counts. */
export type OrderColumns = Omit<Updateable<Tables['orders']>, Moments> & {
  [Name in Moments]?: Date | RawBuilder<Date> | null
}

/** The order is locked by the caller. With an entry for its history, in the same statement. */
export function updateOrder(
  tx: Tx,
  order: OrderRow,
  columns: OrderColumns,
  entry: HistoryEntry | null = null,
): Promise<OrderRow> {
  const statement = entry === null ? tx : tx.with('told', () => insertHistory(order, entry))
  return statement
    .updateTable('orders')
    .set({ ...columns, storeId: order.storeId })
    .where('storeId', '=', order.storeId)
    .where('id', '=', order.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface HistoryEntry {
  kind: string
  from: OrderStatus | null
  to: OrderStatus
  actor: string | null
  reason: string | null
  amountMinor: number | null
}

/** Numbered within the order, which the caller has locked. */
function insertHistory({ storeId, id }: OrderRow, { kind, from, to, actor, reason, amountMinor }: HistoryEntry) {
  return sql<{ number: number }>`(
    insert into order_history (store_id, order_id, number, id, kind, from_status, to_status, actor, reason, amount_minor)
    select ${storeId}::uuid, ${id}::uuid, coalesce(max(number), 0) + 1, ${newId()}::uuid, ${kind}, ${from}, ${to},
      ${actor}::text, ${reason}::text, ${amountMinor}::bigint
    from order_history where store_id = ${storeId} and order_id = ${id}
    returning number
  )`
}

export function selectHistory(db: Db, { storeId, id }: OrderRow) {
  return db
    .selectFrom('orderHistory')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .orderBy('number')
    .execute()
}

export function selectLines(db: Db, { storeId, id }: { storeId: string; id: string }): Promise<OrderLineRow[]> {
  return db
    .selectFrom('orderLines')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .orderBy('position')
    .execute()
}

export function updateLine(
  tx: Tx,
  line: Pick<OrderLineRow, 'storeId' | 'orderId' | 'productId'>,
  columns: Updateable<Tables['orderLines']>,
) {
  return tx
    .updateTable('orderLines')
    .set(columns)
    .where('storeId', '=', line.storeId)
    .where('orderId', '=', line.orderId)
    .where('productId', '=', line.productId)
    .execute()
}

export async function markLinesDelivered(tx: Tx, { storeId, id }: OrderRow, productIds: readonly string[]) {
  await sql`
    update order_lines
    set delivered_at = now(), is_waiting = false, failed_at = null, failure = null,
      delivers_file = not is_dynamic and exists (
        select from product_files file where file.store_id = ${storeId} and file.product_id = order_lines.product_id
      )
    where store_id = ${storeId} and order_id = ${id} and product_id = any(${productIds}::uuid[])
      and delivered_at is null
  `.execute(tx)
}

export async function markLinesWaiting(tx: Tx, { storeId, id }: OrderRow, productIds: readonly string[]) {
  await tx
    .updateTable('orderLines')
    .set({ isWaiting: true })
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .where('productId', '=', sql<string>`any(${productIds}::uuid[])`)
    .execute()
}

/** Lines of an order that ended no longer wait. */
export async function clearWaiting(tx: Tx, { storeId, id }: OrderRow) {
  await tx
    .updateTable('orderLines')
    .set({ isWaiting: false })
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .where('isWaiting', '=', true)
    .execute()
}

/** How many items the order holds of each product. */
export async function countHeldItems(tx: Tx, { storeId, id }: OrderRow): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('items')
    .select((eb) => ['productId', eb.fn.countAll<number>().as('held')])
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .where('replacedAt', 'is', null)
    .groupBy('productId')
    .execute()
  return new Map(rows.map(({ productId, held }) => [productId, held]))
}

/** The paid order that has waited longest for items of the product. */
export function selectFirstWaiting(db: Db, { storeId, productId }: { storeId: string; productId: string }) {
  return db
    .selectFrom('orderLines')
    .innerJoin('orders', (join) =>
      join.onRef('orders.storeId', '=', 'orderLines.storeId').onRef('orders.id', '=', 'orderLines.orderId'),
    )
    .select(['orderLines.storeId', 'orderLines.orderId', 'orderLines.quantity'])
    .where('orderLines.storeId', '=', storeId)
    .where('orders.storeId', '=', storeId)
    .where('orderLines.productId', '=', productId)
    .where('orderLines.isWaiting', '=', true)
    .orderBy('orders.dateCreated')
    .orderBy('orders.id')
    .limit(1)
    .executeTakeFirst()
}

export function findStore(db: Db, { storeId }: { storeId: string }): Promise<StoreRow | undefined> {
  return db.selectFrom('stores').selectAll().where('id', '=', storeId).executeTakeFirst()
}

/** The order and its store by the order's id alone. */
export async function selectOrderAlone(
  db: Db,
  orderId: string,
): Promise<{ store: StoreRow; order: OrderRow } | undefined> {
  const store = await db
    .selectFrom('directory')
    .innerJoin('stores', 'stores.id', 'directory.storeId')
    .selectAll('stores')
    .where('directory.id', '=', orderId)
    .where('directory.kind', '=', 'order')
    .executeTakeFirst()
  const order = store && (await selectOrder(db, store, orderId))
  return store && order && { store, order }
}

export function selectActiveDomain(db: Db, store: StoreRow): Promise<string | null> {
  return db
    .selectFrom('customDomains')
    .select('domain')
    .where('storeId', '=', store.id)
    .where('status', '=', 'active')
    .executeTakeFirst()
    .then((row) => row?.domain ?? null)
}

/** Bounded, so that nobody fills the table. False when it is full. */
export async function insertReveal(
  tx: Tx,
  { storeId, id }: OrderRow,
  reveal: { productId: string | null; ipAddress: string; userAgent: string; max: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into reveals (store_id, order_id, id, product_id, ip_address, user_agent)
    select ${storeId}, ${id}, ${newId()}, ${reveal.productId}::uuid, ${reveal.ipAddress}, ${reveal.userAgent}
    where (select count(*) from reveals where store_id = ${storeId} and order_id = ${id}) < ${reveal.max}
    returning id
  `.execute(tx)
  return rows.length > 0
}
