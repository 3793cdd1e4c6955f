import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { type Page, type Paging, paginate } from '#platform/db/paging'
import type { StoreRow } from '#stores/tables'
import type { SubscriptionRow } from './tables.ts'

export interface Bought {
  storeId: string
  orderId: string
  customerId: string
  productId: string
  /** ISO 8601, as the product says it. */
  period: string
  quantity: number
  gateway: string
}

interface Named {
  storeId: string
  subscriptionId: string
}

/** Months are counted in UTC, whatever the database's own zone is. */
const longer = (from: ReturnType<typeof sql>, period: string, quantity: number) =>
  sql<Date>`((${from} at time zone 'UTC') + ${quantity}::integer * ${period}::interval) at time zone 'UTC'`

/** The one that has not ended; locked, so that two purchases at once both count. */
export function lockSubscriptionOf(
  tx: Tx,
  { storeId, customerId, productId }: Bought,
): Promise<SubscriptionRow | undefined> {
  return running(tx, { storeId, customerId }).where('productId', '=', productId).forUpdate().executeTakeFirst()
}

/** Undefined when another purchase made it a moment ago. */
export async function insertSubscription(tx: Tx, bought: Bought): Promise<SubscriptionRow | undefined> {
  const { storeId, customerId, productId, period, quantity, gateway } = bought
  const { rows } = await sql<SubscriptionRow>`
    insert into subscriptions (
      store_id, id, customer_id, product_id, start_date, expiration_date, period, quantity, gateway
    )
    values (
      ${storeId}, ${newId()}, ${customerId}, ${productId}, now(), ${longer(sql`now()`, period, quantity)},
      ${period}, ${quantity}, ${gateway}
    )
    on conflict (store_id, customer_id, product_id) where ended_at is null do nothing
    returning *
  `.execute(tx)
  return rows[0]
}

/** What is left of the paid time is kept. Whoever buys again has not cancelled. */
export async function extendSubscription(
  tx: Tx,
  { storeId, id }: SubscriptionRow,
  { period, quantity, gateway }: Bought,
): Promise<SubscriptionRow> {
  const { rows } = await sql<SubscriptionRow>`
    update subscriptions
    set expiration_date = ${longer(sql`greatest(expiration_date, now())`, period, quantity)},
      period = ${period}, quantity = ${quantity}, gateway = ${gateway}, cancelled_at = null, renewal_order_id = null
    where store_id = ${storeId} and id = ${id}
    returning *
  `.execute(tx)
  const [extended] = rows
  if (!extended) throw new Error('the subscription is locked')
  return extended
}

/** False when the order was counted before. */
export async function insertPeriod(tx: Tx, bought: Bought, subscriptionId: string): Promise<boolean> {
  const { storeId, orderId, productId } = bought
  const row = await tx
    .insertInto('subscriptionPeriods')
    .values({ storeId, orderId, productId, subscriptionId })
    .onConflict((conflict) => conflict.columns(['storeId', 'orderId', 'productId']).doNothing())
    .returning('orderId')
    .executeTakeFirst()
  return row !== undefined
}

export function selectSubscription(db: Db, { storeId, subscriptionId }: Named): Promise<SubscriptionRow | undefined> {
  return db
    .selectFrom('subscriptions')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('id', '=', subscriptionId)
    .executeTakeFirst()
}

/** The subscription whose next period the order is for. */
export function selectRenewedBy(
  db: Db,
  { storeId, id, customerId }: { storeId: string; id: string; customerId: string },
): Promise<SubscriptionRow | undefined> {
  return running(db, { storeId, customerId }).where('renewalOrderId', '=', id).executeTakeFirst()
}

/** Of one customer, those that have not ended. */
function running(db: Db, { storeId, customerId }: { storeId: string; customerId: string }) {
  return db
    .selectFrom('subscriptions')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('customerId', '=', customerId)
    .where('endedAt', 'is', null)
}

export function selectSubscriptionsOfOrder(
  db: Db,
  { storeId, id }: { storeId: string; id: string },
): Promise<SubscriptionRow[]> {
  return db
    .selectFrom('subscriptions')
    .selectAll('subscriptions')
    .innerJoin('subscriptionPeriods as period', (join) =>
      join
        .onRef('period.storeId', '=', 'subscriptions.storeId')
        .onRef('period.subscriptionId', '=', 'subscriptions.id'),
    )
    .where('subscriptions.storeId', '=', storeId)
    .where('period.storeId', '=', storeId)
    .where('period.orderId', '=', id)
    .execute()
}

export type SubscriptionOfStore = SubscriptionRow & { emailAddress: string; productName: string }

export function selectSubscriptionPage(
  db: Db,
  store: StoreRow,
  { customerId, ...paging }: Paging & { customerId: string | null },
): Promise<Page<SubscriptionOfStore>> {
  const own = sql`store_id = ${store.id} and (${customerId}::uuid is null or customer_id = ${customerId})`
  return paginate(
    paging,
    async () => {
      const { rows } = await sql<{ count: number }>`select count(*) from subscriptions where ${own}`.execute(db)
      return rows[0]?.count ?? 0
    },
    async ({ limit, offset }) => {
      const { rows } = await sql<SubscriptionOfStore>`
        with listed as (
          select * from subscriptions where ${own} order by date_created desc, id desc limit ${limit} offset ${offset}
        )
        select listed.*, customers.email_address, products.name as product_name
        from listed
        join customers on customers.store_id = ${store.id} and customers.id = listed.customer_id
        join products on products.store_id = ${store.id} and products.id = listed.product_id
        order by listed.date_created desc, listed.id desc
      `.execute(db)
      return rows
    },
  )
}

export async function markCancelled(tx: Tx, { storeId, subscriptionId }: Named): Promise<SubscriptionRow | undefined> {
  return tx
    .updateTable('subscriptions')
    .set({ cancelledAt: sql<Date>`coalesce(cancelled_at, now())` })
    .where('storeId', '=', storeId)
    .where('id', '=', subscriptionId)
    .returningAll()
    .executeTakeFirst()
}

/** Those of the order that have not ended, cancelled and shorter by what it paid for. Each order counts once. */
export async function withdrawPeriodsOf(
  tx: Tx,
  { storeId, id }: { storeId: string; id: string },
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    with withdrawn as (
      update subscription_periods set withdrawn_at = now()
      where store_id = ${storeId} and order_id = ${id} and withdrawn_at is null
      returning subscription_id, product_id
    )
    update subscriptions
    set cancelled_at = coalesce(cancelled_at, now()),
      expiration_date = ((expiration_date at time zone 'UTC') - line.quantity * line.subscription_period::interval)
        at time zone 'UTC'
    from withdrawn
    join order_lines as line
      on line.store_id = ${storeId} and line.order_id = ${id} and line.product_id = withdrawn.product_id
    where subscriptions.store_id = ${storeId} and subscriptions.id = withdrawn.subscription_id and ended_at is null
    returning subscriptions.*
  `.execute(tx)
  return rows
}

/** By the database's clock. */
export async function secondsUntil(db: Db, { storeId, id }: SubscriptionRow): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from expiration_date - now())::double precision as seconds
    from subscriptions where store_id = ${storeId} and id = ${id}
  `.execute(db)
  return rows[0]?.seconds ?? 0
}

/** One renewal order for each paid period: false when it has been placed. */
export async function claimRenewal(tx: Tx, subscription: SubscriptionRow, orderId: string): Promise<boolean> {
  const { rows } = await sql`
    update subscriptions set renewal_order_id = ${orderId}, renewed_until = expiration_date
    where store_id = ${subscription.storeId} and id = ${subscription.id} and ended_at is null
      and renewed_until is distinct from expiration_date
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** Once the time of grace is over, and nothing was paid. */
export async function endExpired(
  tx: Tx,
  { storeId, subscriptionId }: Named,
  { graceSeconds }: { graceSeconds: number },
): Promise<SubscriptionRow | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    update subscriptions set ended_at = now()
    where store_id = ${storeId} and id = ${subscriptionId} and ended_at is null
      and expiration_date <= now() - (case when cancelled_at is null then make_interval(secs => ${graceSeconds}) else interval '0' end)
    returning *
  `.execute(tx)
  return rows[0]
}

export async function selectOrderIds(db: Db, { storeId, id }: SubscriptionRow): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptionPeriods')
    .select('orderId')
    .where('storeId', '=', storeId)
    .where('subscriptionId', '=', id)
    .orderBy('dateCreated', 'desc')
    .execute()
  return rows.map(({ orderId }) => orderId)
}
