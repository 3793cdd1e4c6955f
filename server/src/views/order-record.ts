import type { Scope } from '@keystall/contract/scopes'
import { sql } from 'kysely'
import { orderPage } from '#orders/order-page'
import type { OrderRow } from '#orders/tables'
import type { Db } from '#platform/db/database'
import { fromMinor } from '#platform/money/money'
import type { StoreRow } from '#stores/tables'
import type { AttemptRow } from '#webhooks/tables'
import { type Means, selectFigures } from './public-store.ts'

const attemptsMax = 100

/** What is kept about an order beside the order itself. */
export async function presentOrderRecord(
  db: Db,
  means: Means,
  { store, rights }: { store: StoreRow; rights: ReadonlySet<Scope> },
  order: OrderRow,
) {
  const [{ activeDomain }, lines, payments, reveals, attempts] = await Promise.all([
    selectFigures(db, store),
    selectLines(db, order),
    selectPayments(db, order),
    selectReveals(db, order),
    rights.has('ViewStores') ? selectAttempts(db, order) : [],
  ])
  const amount = (minor: number) => fromMinor(minor, order.currency)
  return {
    currency: order.currency,
    subtotal: amount(order.subtotalMinor),
    discount: amount(order.discountMinor),
    fee: amount(order.feeMinor),
    refunded: amount(order.refundedMinor),
    checkoutUrl: orderPage(means.config, { url: store.url, activeDomain }, order),
    expiresAt: order.expiresAt,
    datePaid: order.paidAt,
    dateDelivered: order.deliveredAt,
    metadata: order.metadata,
    lines: lines.map((line) => ({ ...line, cost: amount(line.costMinor) })),
    payments: payments.map((each) => ({ ...each, amount: fromMinor(each.amountMinor, each.currency) })),
    reveals,
    attempts,
  }
}

function selectLines(db: Db, { storeId, id }: OrderRow) {
  return db
    .selectFrom('orderLines')
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .select([
      'productId',
      'productName as name',
      'quantity',
      'costMinor',
      'isWaiting',
      'deliveredAt as dateDelivered',
      'failure',
      'deliversFile',
      'fileDownloads',
    ])
    .orderBy('position')
    .execute()
}

function selectPayments(db: Db, { storeId, id }: OrderRow) {
  return db
    .selectFrom('payments')
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .select(['id', 'dateCreated', 'kind', 'gateway', 'amountMinor', 'currency', 'externalId as transactionId'])
    .orderBy('dateCreated')
    .orderBy('id')
    .execute()
}

function selectReveals(db: Db, { storeId, id }: OrderRow) {
  return db
    .selectFrom('reveals')
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .select(['id', 'dateCreated', 'productId', 'ipAddress', 'userAgent'])
    .orderBy('dateCreated')
    .orderBy('id')
    .execute()
}

interface Attempt extends AttemptRow {
  eventId: string
  eventType: string
  nextAttempt: Date | null
}

async function selectAttempts(db: Db, { storeId, id }: OrderRow): Promise<Attempt[]> {
  const { rows } = await sql<Attempt>`
    select attempt.*, delivery.message_id as event_id, delivery.type as event_type,
      case when delivery.status = 'waiting' and attempt.attempt = delivery.tries then delivery.next_try_at end
        as next_attempt
    from webhook_deliveries delivery
    join webhook_attempts attempt on attempt.store_id = ${storeId} and attempt.delivery_id = delivery.id
    where delivery.store_id = ${storeId} and delivery.subject_id = ${id} and delivery.kind <> 'chat'
    order by attempt.id desc limit ${attemptsMax}
  `.execute(db)
  return rows
}
