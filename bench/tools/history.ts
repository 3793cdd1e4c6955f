import pg from 'pg'
import { withoutIndexes } from './indexes.ts'

export interface History {
  orders: number
  customers: number
  days: number
}

/** Paid orders of a year with their lines, payments, customers and counters, as if they had been made one by one. */
export async function writeHistory(url: string, storeId: string, { orders, customers, days }: History): Promise<void> {
  // Two, because the machine has two cores.
  const clients = await Promise.all([openClient(url), openClient(url)])
  const [one, other] = clients
  await withoutIndexes(clients, ['orders', 'order_lines', 'payments', 'customers'], async () => {
    await Promise.all(clients.map((each, half) => each.query(salesOf, [storeId, orders, days, customers, half])))
    await Promise.all([
      one.query(customersOf, [storeId, customers]).then(() => one.query(storeDaysOf, [storeId])),
      other.query(productSpansOf, [storeId]),
    ])
  })
  await one.query(visitsOf, [storeId])
  await Promise.all(clients.map((each) => each.end()))
}

async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set synchronous_commit = off')
  await client.query(`set work_mem = '256MB'`)
  await client.query(`set maintenance_work_mem = '512MB'`)
  return client
}

/** Every second of them, the oldest first. Ids are as ours: those of one time stand together. */
const salesOf = `with product as (
    select id, name, row_number() over (order by id) - 1 as number from products where store_id = $1
  ), made as materialized (
    select n, uuidv7(moment - now()) as id, moment, cost, customer_id, refunded
    from (
      select n, now() - make_interval(secs => n::double precision * $3::double precision * 86400 / $2::integer) as moment,
        500 + n % 2000 as cost, md5('customer' || n::bigint * 7919 % $4::integer)::uuid as customer_id,
        case when n % 50 = 0 then (500 + n % 2000) / 2 else 0 end as refunded
      from generate_series($2::integer - $5::integer, 1, -2) n
    ) drawn
  ), lines as (
    insert into order_lines (store_id, order_id, product_id, position, product_name, quantity, cost_minor, discount_minor,
      fee_minor, is_dynamic, takes_items, can_wait, delivered_at)
    select $1, made.id, product.id, 0, product.name, 1, cost, 0, 0, false, true, false, moment
    from made join product on product.number = made.n::bigint * 31 % (select count(*) from product)
  ), paid as (
    insert into payments (store_id, id, order_id, date_created, gateway, external_id, kind, amount_minor, currency)
    select $1, uuidv7(moment - now()), id, moment, 'test', id::text, 'payment', cost, 'USD' from made
  )
  insert into orders (store_id, id, date_created, origin, key, status, gateway, customer_id, quantity, currency, exponent,
    subtotal_minor, discount_minor, fee_minor, cost_minor, paid_minor, refunded_minor, paid_at, delivered_at, is_stock_held)
  select $1, id, moment, 'checkout', md5(n::text), 'Delivered', 'test', customer_id, 1, 'USD', 2, cost, 0, 0, cost, cost,
    refunded, moment, moment, true
  from made`

const customersOf = `insert into customers (store_id, id, email_address, first_paid_at)
  select $1, id, 'customer' || n || '@example.com', first.paid_at
  from (select n, md5('customer' || n)::uuid as id from generate_series(0, $2::integer - 1) n) customer
  left join (select customer_id, min(paid_at) as paid_at from orders where store_id = $1 group by customer_id) first
    on first.customer_id = id`

// What the product counts with each order; `analytics/history.test.ts` shows that it counts just so.

const storeDaysOf = `insert into store_days (store_id, day, currency, slot, orders_created, orders_paid, new_customers,
    paid_minor, revenue_minor, refunded_minor)
  select $1, (paid_at at time zone 'UTC')::date as day, 'USD', 0, count(*), count(*), 0, sum(paid_minor),
    sum(paid_minor - refunded_minor), sum(refunded_minor)
  from orders where store_id = $1 group by day`

const productSpansOf = `with day as (
    select (paid_at at time zone 'UTC')::date as day, product_id, count(*) as quantity,
      sum(paid_minor - refunded_minor) as revenue
    from orders join order_lines line on line.store_id = $1 and line.order_id = orders.id
    where orders.store_id = $1 group by 1, 2
  )
  insert into product_spans (store_id, span, first_day, product_id, currency, quantity, revenue_minor)
  select $1, 'day', day, product_id, 'USD', quantity, revenue from day
  union all
  select $1, 'month', date_trunc('month', day)::date, product_id, 'USD', sum(quantity), sum(revenue)
  from day group by 3, 4`

const visitsOf = `insert into store_visits (store_id, day, id, visits)
  select $1, (now() at time zone 'UTC')::date - n, gen_random_uuid(), 1000 + n from generate_series(1, 800) n`
