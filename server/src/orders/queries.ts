import { type RawBuilder, sql, type Updateable } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { EventDraft } from '#events/draft'
import { insertingEvents } from '#events/parts'
import { newId } from '#platform/db/ids'
import { rowOfJson } from '#platform/db/json'
import { names } from '#platform/db/names'
import type { Tables } from '#platform/db/tables'
import { statement } from '#platform/db/statement'
import type { StoreRow } from '#stores/tables'
import { type Particulars, particularsOfOrder } from './particulars-queries.ts'
import type { OrderLineRow, OrderRow, OrderStatus } from './tables.ts'

export function selectOrder(db: Db, store: Pick<StoreRow, 'id'>, id: string): Promise<OrderRow | undefined> {
  return db.selectFrom('orders').selectAll().where('storeId', '=', store.id).where('id', '=', id).executeTakeFirst()
}

/**
 * Every change of an order begins here: changes of one order take turns. What events and mails tell of it comes along; of
 * its lines nothing does, because whoever had the turn before may have changed them after this statement began.
 */
export async function lockOrderRow(
  tx: Tx,
  named: OrderName,
): Promise<(OrderRow & { particulars: Particulars }) | undefined> {
  const [row] = await lockingOrder(tx, named)
  return row
}

interface OrderName {
  storeId: string
  orderId: string
}

const lockingOrder = statement(
  (_, { storeId, orderId }: OrderName) => sql<OrderRow & { particulars: Particulars }>`
    with locked as (
      select * from orders where store_id = ${storeId} and id = ${orderId} for update
    )
    select locked.*, ${particularsOfOrder({ storeId, orderId, customerId: sql`locked.customer_id` })} as "particulars"
    from locked
  `,
)

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

/** What is written with a change of an order, in the same statement. */
export interface Beside {
  entries?: readonly HistoryEntry[]
  events?: readonly EventDraft[]
  /** Further parts, each `name as (…)`, which may read the order after the change as `changed`. */
  parts?: readonly RawBuilder<unknown>[]
  /** Parts that the condition reads; without it nothing else is written. */
  first?: readonly RawBuilder<unknown>[]
  condition?: RawBuilder<unknown>
}

/** The order is locked by the caller. */
export async function updateOrder(
  tx: Tx,
  order: OrderRow,
  columns: OrderColumns,
  beside: Omit<Beside, 'first' | 'condition'> = {},
): Promise<OrderRow> {
  const changed = await updateOrderIf(tx, order, columns, beside)
  if (!changed) throw new Error(`order ${order.id} is gone`)
  return changed
}

/** Undefined when the condition does not hold. */
export async function updateOrderIf(
  tx: Tx,
  order: OrderRow,
  columns: OrderColumns,
  { entries = [], events = [], first = [], parts = [], condition = sql`true` }: Beside,
): Promise<OrderRow | undefined> {
  const { storeId, id } = order
  const values = Object.entries({ ...columns, storeId }).map(([name, value]) => sql`${names.column(name)} = ${value}`)
  const all = [
    ...first,
    sql`changed as (
      update orders set ${sql.join(values)} where store_id = ${storeId} and id = ${id} and ${condition} returning *
    )`,
    ...parts,
    ...(entries.length > 0 ? [sql`told as (${insertingHistory(order, entries)})`] : []),
    ...(events.length > 0 ? [sql`event as (${insertingEvents({ id: storeId }, events, sql`, changed`)})`] : []),
  ]
  const { rows } = await sql<OrderRow>`with ${sql.join(all)} select * from changed`.execute(tx)
  return rows[0]
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
function insertingHistory({ storeId, id }: OrderRow, entries: readonly HistoryEntry[]) {
  const numbered = entries.map((entry, index) => ({ ...entry, id: newId(), further: index + 1 }))
  return sql`
    insert into order_history (store_id, order_id, number, id, kind, from_status, to_status, actor, reason, amount_minor)
    select ${storeId}::uuid, ${id}::uuid,
      new.further + coalesce((select max(number) from order_history where store_id = ${storeId} and order_id = ${id}), 0),
      new.id, new.kind, new."from", new."to", new.actor, new.reason, new."amountMinor"
    from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb) as new (
      further integer, id uuid, kind text, "from" text, "to" text, actor text, reason text, "amountMinor" bigint
    ), changed
  `
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

/** A line with the items that the order holds for it, as they are kept, in the order appended; and the file it gives. */
export type HeldLine = OrderLineRow & { sealed: Buffer[]; fileName: string | null }

export function selectHeldLines(tx: Tx, { storeId, id }: { storeId: string; id: string }): Promise<HeldLine[]> {
  return heldLines(tx, { storeId, orderId: id })
}

const heldLines = statement(
  (_, { storeId, orderId }: OrderName) => sql<HeldLine>`
    select line.*, array(
      select sealed from items
      where store_id = ${storeId} and order_id = ${orderId} and product_id = line.product_id and replaced_at is null
      order by position
    ) as sealed, (
      select friendly_name from product_files where store_id = ${storeId} and product_id = line.product_id
    ) as file_name
    from order_lines line
    where store_id = ${storeId} and order_id = ${orderId}
    order by position
  `,
)

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
  return storesAsSeen(db).where('stores.id', '=', storeId).executeTakeFirst()
}

/** Closed is also the store of a seller who is switched off. */
function storesAsSeen(db: Db) {
  return db
    .selectFrom('stores')
    .innerJoin('users as owner', 'owner.id', 'stores.ownerId')
    .selectAll('stores')
    .select(sql<Date | null>`coalesce(stores.closed_at, owner.disabled_at)`.as('closedAt'))
}

/** The order and its store by the order's id alone. */
export async function selectOrderAlone(
  db: Db,
  orderId: string,
): Promise<{ store: StoreRow; order: OrderRow } | undefined> {
  const [found] = await orderAndStore(db, { orderId })
  if (!found) return undefined
  const { order, ...store } = found
  return { store, order: rowOfJson<OrderRow>(order, ['dateCreated', 'expiresAt', 'paidAt', 'deliveredAt']) }
}

const storeIdOf = (db: Db, orderId: string) =>
  db.selectFrom('directory').select('storeId').where('id', '=', orderId).where('kind', '=', 'order')

/** The order as JSON: two rows beside each other would have columns of one name. */
const orderAndStore = statement((db, { orderId }: { orderId: string }) =>
  storesAsSeen(db)
    .innerJoin('orders', 'orders.storeId', 'stores.id')
    .select(sql<unknown>`to_json(orders)`.as('order'))
    .where('stores.id', '=', storeIdOf(db, orderId))
    .where('orders.storeId', '=', storeIdOf(db, orderId))
    .where('orders.id', '=', orderId),
)

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

/** Then it can go back by itself: no gateway and no seller has to be asked. */
export async function isPaidByCreditAlone(db: Db, { storeId, id }: OrderRow): Promise<boolean> {
  const rows = await db
    .selectFrom('payments')
    .select('gateway')
    .distinct()
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .where('kind', '=', 'payment')
    .execute()
  return rows.length > 0 && rows.every(({ gateway }) => gateway === 'balance')
}
