import type { Client } from 'pg'
import type { Ledger } from './ledger.ts'
import type { Shop } from './shop.ts'
import type { Wrong } from './wrong.ts'

/** A store, and what people were told there. */
export interface Told {
  shop: Pick<Shop, 'storeId' | 'items' | 'keys'>
  ledger: Ledger
}

/** What one statement can count in the store's tables. What was paid before a moment must have been delivered. */
export async function tableFaults(
  client: Client,
  { shop, ledger }: Told,
  paidBefore = Number.POSITIVE_INFINITY,
): Promise<Wrong> {
  const ids = (...fates: string[]) =>
    [...ledger.placed].filter(([, { fate }]) => fates.includes(fate)).map(([id]) => id)
  const { replies, appended } = ledger
  // Of the parts of one statement the planner expects few rows; after half an hour of load there are tens of thousands.
  await client.query('set enable_nestloop = off')
  const { rows } = await client.query<Record<string, string>>(counting, [
    shop.storeId,
    ids('placed', 'paid', 'cancelled'),
    ids('paid'),
    ids('cancelled'),
    ids('placed'),
    [...replies.acknowledged],
    [...shop.items.keys()],
    [...shop.items.values()],
    shop.keys[0],
    appended.acknowledged.size,
    appended.unknown.size,
    [...ledger.placed].filter(([, { fate, paidAt = 0 }]) => fate === 'paid' && paidAt < paidBefore).map(([id]) => id),
  ])
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([what, count]) => [what, Number(count)]))
}

const counting = `
  with own as (select * from orders where store_id = $1),
  held as (
    select order_id, product_id, count(*) as items from items where store_id = $1 and order_id is not null group by 1, 2
  ),
  moved as (
    select order_id, currency, sum(amount_minor) filter (where kind = 'payment') as paid,
      sum(amount_minor) filter (where kind = 'refund') as refunded
    from payments where store_id = $1 group by 1, 2
  ),
  entries as (select message, count(*) as times from ticket_entries where store_id = $1 group by 1),
  stock as (
    select given.id, given.items, (select count(*) from items where store_id = $1 and product_id = given.id) as now
    from unnest($7::uuid[], $8::bigint[]) as given (id, items)
  )
  select
    (select count(*) from unnest($2::uuid[]) as told (id) where not exists (select from own where own.id = told.id))
      as "lost orders",
    (select count(*) from own where id = any($3::uuid[]) and paid_minor <> cost_minor) as "lost payments",
    (select count(*) from own where id = any($4::uuid[]) and status <> 'Cancelled') as "lost cancellations",
    (select count(*) from unnest($6::text[]) as told (message) where message not in (select message from entries))
      as "lost replies",
    (select count(*) from stock where id = $9 and now < items + $10::bigint) as "lost items (appended)",
    (select count(*) from own where not id = any($2::uuid[])) as "doubled orders (nobody was told of them)",
    (select count(*) from entries where times > 1) as "doubled replies",
    (
      select count(*) from own where (id = any($3::uuid[]))::int <> (
        select count(*) from payments where store_id = $1 and order_id = own.id and kind = 'payment'
      )
    ) as "doubled payments, or missing ones",
    (
      select count(*) from own left join moved on moved.order_id = own.id and moved.currency = own.currency
      where paid_minor <> coalesce(moved.paid, 0)
    ) as "orders that were paid another sum than their payments",
    (
      select count(*) from own left join moved on moved.order_id = own.id and moved.currency = own.currency
      left join (
        select order_id, sum(amount_minor) as refunded from refunds where store_id = $1 and status = 'done' group by 1
      ) returned on returned.order_id = own.id
      -- Others are made at the processor, which tells us.
      where refunded_minor <> coalesce(moved.refunded, 0) or refunded_minor < coalesce(returned.refunded, 0)
    ) as "orders that gave back another sum than their refunds",
    (select count(*) from stock where now > items + case when id = $9 then $10::bigint + $11::bigint else 0 end)
      as "doubled items (appended)",
    (select count(*) from stock where id <> $9 and now <> items) as "products whose items are not all there",
    (select count(*) from own where id = any($12::uuid[]) and status not in ('Delivered', 'Undeliverable'))
      as "paid orders that are stuck",
    (select count(*) from own where id = any($5::uuid[]) and status <> 'Incomplete') as "unpaid orders that changed",
    (
      select count(*) from order_lines line join own on own.id = line.order_id
      left join held on held.order_id = line.order_id and held.product_id = line.product_id
      where line.store_id = $1 and line.takes_items
        and coalesce(held.items, 0) <> case when own.status = 'Cancelled' then 0 else line.quantity end
    ) as "lines with too many or too few items",
    (
      select count(*) from (
        select product_id, sum(available) as available, sum(sold) as sold from product_counts
        where store_id = $1 group by 1
      ) counts
      where (
        available <> (
          select count(*) from items where store_id = $1 and product_id = counts.product_id and order_id is null
        ) and product_id in (select product_id from items where store_id = $1)
      ) or sold <> (
        select coalesce(sum(line.quantity), 0) from order_lines line
        where line.store_id = $1 and line.product_id = counts.product_id and line.delivered_at is not null
      )
    ) as "products whose counters differ from their items",
    (
      select count(*) from coupons where store_id = $1 and (
        uses <> (select count(*) from coupon_uses where store_id = $1 and coupon_id = coupons.id)
        or uses <> (select count(*) from own where own.coupon_id = coupons.id and own.is_stock_held)
        or (maximum_uses >= 0 and uses > maximum_uses)
      )
    ) as "coupons whose uses differ from the ledger or the orders",
    (select count(*) from own where cost_minor <> subtotal_minor - discount_minor + fee_minor or subtotal_minor <> (
      select sum(cost_minor * quantity) from order_lines where store_id = $1 and order_id = own.id
    )) as "orders whose money does not add up",
    (
      select count(*) from (
        select sum(orders_created) as made, sum(orders_paid) as paid, sum(paid_minor) as money
        from store_days where store_id = $1
      ) days
      where made <> (select count(*) from own) or paid <> (select count(*) from own where paid_minor > 0)
        or money <> (select sum(paid_minor) from own)
    ) as "figures that differ from the orders",
    (
      select count(*) from own left join (
        select subject_id, array_agg(type order by type) as types from events where store_id = $1 group by 1
      ) told on told.subject_id = own.id
      where case
        when status = 'Delivered' then array['order.created', 'order.delivered', 'order.paid']
          || case when refunded_minor > 0 then array['order.refunded'] end
        when status = 'Cancelled' then array['order.cancelled', 'order.created']
        when status = 'Incomplete' then array['order.created']
      end <> coalesce(told.types, '{}')
    ) as "orders without each of their events once",
    (
      select count(*) from own left join (
        select substring(text from 'checkout/([0-9a-f-]{36})') as id, count(*) as mails from mails
        where subject like 'Your order%' group by 1
      ) mailed on mailed.id = own.id::text
      where own.status = 'Delivered' and coalesce(mailed.mails, 0) <> 1
        -- What a mail server has taken keeps no text.
        and not exists (select from mails where sent_at is not null)
    ) as "delivered orders without their one mail",
    (
      select count(*) from (
        select max(number) as last, count(*) as all from order_history where store_id = $1 group by order_id
      ) history where last <> history.all
    ) as "gaps in an order's history",
    (select count(*) from events where store_id = $1 and number is null) as "events without a number",
    (
      select count(*) from event_numbers where store_id = $1
        and last_number <> (select count(*) from events where store_id = $1 and number is not null)
    ) as "gaps in the numbers of events",
    (select count(*) from store_acts where store_id = $1 and number is null) as "acts without a number",
    (
      select count(*) from store_act_numbers where store_id = $1
        and last_number <> (select count(*) from store_acts where store_id = $1 and number is not null)
    ) as "gaps in the numbers of acts",
    (
      select count(*) from (select count(*) as noted from store_acts where store_id = $1 and act = 'appendItems') acts
      where noted <> (select now - items from stock where id = $9) + (select count(*) from stock where items > 0)
    ) as "changes without their act, or acts without their change",
    (select count(*) from jobs where failed_at is not null) as "jobs that failed"
`
