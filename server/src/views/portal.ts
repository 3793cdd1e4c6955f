import { ticketStatuses } from '@keystall/contract/shapes/ticket'
import type { Portal, PortalSubscription, PortalTicket } from '@keystall/storefront/pages/portal'
import { sql } from 'kysely'
import type { CustomerRow } from '#customers/tables'
import type { Db } from '#platform/db/database'
import { paginate } from '#platform/db/paging'
import { fromMinor } from '#platform/money/money'

const ordersAPage = 20
const listMax = 50

type Customer = Pick<CustomerRow, 'storeId' | 'id' | 'emailAddress'>

/** All that the customer has at the store, with the keys that open it: the address they were sent to is proven. */
export async function selectPortal(
  db: Db,
  customer: Customer,
  { page, isByHand }: { page: number; isByHand: (gateway: string) => boolean },
): Promise<Portal> {
  const [orders, tickets, subscriptions] = await Promise.all([
    selectOrders(db, customer, page),
    selectTickets(db, customer),
    selectSubscriptions(db, customer),
  ])
  return {
    emailAddress: customer.emailAddress,
    orders: orders.data.map(({ dateCreated, costMinor, gateway, ...order }) => ({
      ...order,
      isByHand: isByHand(gateway),
      dateCreated: dateCreated.toISOString(),
      cost: fromMinor(costMinor, order.currency),
    })),
    page,
    pages: orders.pages,
    tickets,
    subscriptions,
  }
}

function selectOrders(db: Db, { storeId, id }: Customer, page: number) {
  const own = db.selectFrom('orders').where('storeId', '=', storeId).where('customerId', '=', id)
  return paginate(
    { page, count: ordersAPage },
    async () => (await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total,
    ({ limit, offset }) =>
      own
        .select(['id', 'key', 'dateCreated', 'status', 'gateway', 'costMinor', 'currency'])
        .select(
          sql<string[]>`(
            select array_agg(line.product_name order by line.position) from order_lines line
            where line.store_id = ${storeId} and line.order_id = orders.id
          )`.as('names'),
        )
        .orderBy('dateCreated', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
  )
}

/** What goes on comes first, then what ends last. */
async function selectSubscriptions(db: Db, { storeId, id }: Customer): Promise<PortalSubscription[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('products', (join) =>
      join.onRef('products.storeId', '=', 'subscriptions.storeId').onRef('products.id', '=', 'subscriptions.productId'),
    )
    .where('subscriptions.storeId', '=', storeId)
    .where('subscriptions.customerId', '=', id)
    .select(['subscriptions.id', 'products.name', 'subscriptions.expirationDate'])
    .select(['subscriptions.cancelledAt', 'subscriptions.endedAt'])
    .orderBy((eb) => eb('subscriptions.endedAt', 'is not', null))
    .orderBy((eb) => eb('subscriptions.cancelledAt', 'is not', null))
    .orderBy('subscriptions.expirationDate', 'desc')
    .orderBy('subscriptions.id', 'desc')
    .limit(listMax)
    .execute()
  return rows.map(({ cancelledAt, endedAt, expirationDate, ...subscription }) => ({
    ...subscription,
    expirationDate: expirationDate.toISOString(),
    state: endedAt !== null ? 'ended' : cancelledAt !== null ? 'ending' : 'renewing',
  }))
}

/** Newest first. */
async function selectTickets(db: Db, { storeId, id }: Customer): Promise<PortalTicket[]> {
  const rows = await db
    .selectFrom('tickets')
    .leftJoin('orders', (join) =>
      join.onRef('orders.storeId', '=', 'tickets.storeId').onRef('orders.id', '=', 'tickets.orderId'),
    )
    .where('tickets.storeId', '=', storeId)
    .where('tickets.customerId', '=', id)
    .select(['tickets.id', 'tickets.subject', 'tickets.dateCreated', 'tickets.status', 'tickets.isAnswered'])
    .select(['tickets.key', 'tickets.orderId', 'orders.key as orderKey'])
    .orderBy('tickets.dateCreated', 'desc')
    .orderBy('tickets.id', 'desc')
    .limit(listMax)
    .execute()
  const { resolved, closed, customerResponded } = ticketStatuses
  return rows.map(({ status, isAnswered, key, orderId, orderKey, dateCreated, ...ticket }) => ({
    ...ticket,
    dateCreated: dateCreated.toISOString(),
    state:
      status === closed || status === resolved
        ? 'done'
        : isAnswered && status !== customerResponded
          ? 'answered'
          : 'open',
    path:
      orderId === null
        ? `/ticket/${ticket.id}?key=${encodeURIComponent(key ?? '')}`
        : `/checkout/${orderId}?key=${encodeURIComponent(orderKey ?? '')}#help`,
  }))
}
