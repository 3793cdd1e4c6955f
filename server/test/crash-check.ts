import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { Received } from './receiver.ts'

export interface Expected {
  storeId: string
  itemsOfEach: number
  /** Orders whose payment was acknowledged, with what the buyer was told. */
  bought: readonly { id: string; told: { status: string; deliveredItem: string | null } }[]
  received: readonly Received[]
}

export interface Findings {
  events: number
  /** Different messages that arrived. */
  received: number
  /** By what is wrong, how often. Empty when all is well. */
  wrong: Record<string, number>
}

/** Everything that must hold of a store, whatever happened to the server. */
export async function checkStore(db: Db, { storeId, itemsOfEach, bought, received }: Expected): Promise<Findings> {
  const ids = bought.map(({ id }) => id)
  const { rows } = await sql<Record<string, number>>`
    with own as (select * from orders where store_id = ${storeId}),
    held as (
      select order_id, product_id, count(*) as items from items
      where store_id = ${storeId} and order_id is not null group by 1, 2
    )
    select
      (select count(*) from unnest(${ids}::uuid[]) as told (id) where not exists (select from own where own.id = told.id))
        as "acknowledged orders that are lost",
      (select count(*) from own where not id = any(${ids}::uuid[])) as "orders that nobody was told of",
      (select count(*) from own where status not in ('Delivered', 'Undeliverable')) as "paid orders that are stuck",
      (select count(*) from own where paid_minor <> cost_minor) as "orders not paid exactly once",
      (
        select count(*) from own where 1 <> (
          select count(*) from payments where store_id = ${storeId} and order_id = own.id and kind = 'payment'
        )
      ) as "orders without their one payment",
      (
        select count(*) from order_lines line
        left join held on held.order_id = line.order_id and held.product_id = line.product_id
        where line.store_id = ${storeId} and line.delivered_at is not null and held.items is distinct from line.quantity
      ) as "delivered lines with too many or too few items",
      (
        select count(*) from products product where product.store_id = ${storeId} and ${itemsOfEach} <> (
          select count(*) from items where store_id = ${storeId} and product_id = product.id
        )
      ) as "products whose items are not all there",
      (
        select count(*) from (
          select product_id, sum(available) as available, sum(sold) as sold from product_counts
          where store_id = ${storeId} group by 1
        ) counts
        where available <> (
          select count(*) from items where store_id = ${storeId} and product_id = counts.product_id and order_id is null
        ) or sold <> (select coalesce(sum(items), 0) from held where held.product_id = counts.product_id)
      ) as "products whose counters differ from their items",
      (
        select count(*) from coupons where store_id = ${storeId} and (
          uses <> (select count(*) from coupon_uses where store_id = ${storeId} and coupon_id = coupons.id)
          or uses <> (select count(*) from own where own.coupon_id = coupons.id)
        )
      ) as "coupons whose uses differ from the ledger or the orders",
      (
        select count(*) from (
          select sum(orders_created) as made, sum(orders_paid) as paid, sum(paid_minor) as money
          from store_days where store_id = ${storeId}
        ) days
        where made <> (select count(*) from own) or paid <> made or money <> (select sum(paid_minor) from own)
      ) as "figures that differ from the orders",
      (
        select count(*) from own where array['order.created', 'order.delivered', 'order.paid'] <> array(
          select type from events where store_id = ${storeId} and subject_id = own.id order by type
        )
      ) as "orders without each of their events once",
      (
        select count(*) from own where 1 <> (
          select count(*) from mails where text like '%' || own.id || '%'
        )
      ) as "orders without their one mail",
      (select count(*) from events where store_id = ${storeId} and number is null) as "events without a number",
      (
        select count(*) from event_numbers where store_id = ${storeId}
          and last_number <> (select count(*) from events where store_id = ${storeId})
      ) as "gaps in the numbers"
  `.execute(db)
  const events = await db.selectFrom('events').where('storeId', '=', storeId).select(['id', 'body']).execute()
  const messages = Map.groupBy(received, ({ headers }) => headers['webhook-id'] ?? '')
  const known = new Map(events.map(({ id, body }) => [id, body]))
  const items = bought.flatMap(({ told }) => told.deliveredItem?.split('\n') ?? [])
  const counted = {
    ...rows[0],
    'events that were never sent': events.filter(({ id }) => !messages.has(id)).length,
    'messages that are no event': [...messages.keys()].filter((id) => !known.has(id)).length,
    'messages with another body than the event': received.filter(
      ({ headers, body }) => known.get(headers['webhook-id'] ?? '') !== body,
    ).length,
    'items that two buyers were given': items.length - new Set(items).size,
    'acknowledged payments without delivery': bought.filter(({ told }) => told.status !== 'Delivered').length,
  }
  return {
    events: events.length,
    received: messages.size,
    wrong: Object.fromEntries(Object.entries(counted).filter(([, count]) => count !== 0)),
  }
}
