import pg from 'pg'

export interface History {
  orders: number
  customers: number
  days: number
}

/** Paid orders of a year with their lines, payments, customers and counters, as if they had been made one by one. */
export async function writeHistory(url: string, storeId: string, { orders, customers, days }: History): Promise<void> {
  const clients = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })] as const
  for (const client of clients) {
    await client.connect()
    await client.query('set synchronous_commit = off')
    await client.query(`set work_mem = '256MB'`)
    // What is written here refers to what is written here: looking it up for each row takes longer than to write it.
    await client.query('set session_replication_role = replica')
  }
  const [client] = clients
  await client.query(
    `insert into customers (store_id, id, email_address)
    select $1, md5('customer' || n)::uuid, 'customer' || n || '@example.com' from generate_series(0, $2::integer - 1) n`,
    [storeId, customers],
  )
  // Two halves, because the machine has two cores.
  await Promise.all(clients.map((each, half) => writeOrders(each, storeId, { orders, customers, days }, half)))
  await client.query(
    `update customers set first_paid_at = first.paid_at
    from (select customer_id, min(paid_at) as paid_at from orders where store_id = $1 group by customer_id) first
    where customers.store_id = $1 and customers.id = first.customer_id`,
    [storeId],
  )
  await writeCounters(client, storeId)
  for (const each of clients) await each.end()
}

async function writeOrders(client: pg.Client, storeId: string, { orders, customers, days }: History, half: number) {
  await client.query(
    `with product as (
      select id, name, row_number() over (order by id) - 1 as number, count(*) over () as products
      from products where store_id = $1
    ), made as materialized (
      select n, ${idAt('moment', "'order' || n")} as id, ${idAt('moment', "'payment' || n")} as payment_id, cost, customer_id,
        refunded, moment
      from (
        select n, 500 + n % 2000 as cost,
          md5('customer' || n::bigint * 7919 % $4::integer)::uuid as customer_id,
          case when n % 50 = 0 then (500 + n % 2000) / 2 else 0 end as refunded,
          now() - make_interval(secs => n::double precision * $3::double precision * 86400 / $2::integer) as moment
        from generate_series($5::integer + 1, $2::integer, 2) n
      ) drawn
    ), lines as (
      insert into order_lines (store_id, order_id, product_id, position, product_name, quantity, cost_minor, discount_minor,
        fee_minor, is_dynamic, takes_items, can_wait, delivered_at)
      select $1, made.id, product.id, 0, product.name, 1, cost, 0, 0, false, true, false, moment
      from made join product on product.number = made.n::bigint * 31 % product.products
    ), paid as (
      insert into payments (store_id, id, order_id, date_created, gateway, external_id, kind, amount_minor, currency)
      select $1, payment_id, id, moment, 'test', id::text, 'payment', cost, 'USD' from made
    )
    insert into orders (store_id, id, date_created, origin, key, status, gateway, customer_id, quantity, currency, exponent,
      subtotal_minor, discount_minor, fee_minor, cost_minor, paid_minor, refunded_minor, paid_at, delivered_at, is_stock_held)
    select $1, id, moment, 'checkout', md5(n::text), 'Delivered', 'test', customer_id, 1, 'USD', 2, cost, 0, 0, cost, cost,
      refunded, moment, moment, true
    from made`,
    [storeId, orders, days, customers, half],
  )
}

/** As ours are: those of one time stand together. */
function idAt(moment: string, name: string): string {
  return `(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${name}), 1, 3)
        || '8' || substr(md5(${name}), 4, 15))::uuid`
}

/** What the product counts with each order; `analytics/history.test.ts` shows that it counts just so. */
async function writeCounters(client: pg.Client, storeId: string): Promise<void> {
  await client.query(
    `insert into store_days (store_id, day, currency, slot, orders_created, orders_paid, new_customers, paid_minor,
      revenue_minor, refunded_minor)
    select $1, (paid_at at time zone 'UTC')::date as day, 'USD', 0, count(*), count(*), 0, sum(paid_minor),
      sum(paid_minor - refunded_minor), sum(refunded_minor)
    from orders where store_id = $1 group by day`,
    [storeId],
  )
  await client.query(
    `with day as (
      select (paid_at at time zone 'UTC')::date as day, product_id, count(*) as quantity,
        sum(paid_minor - refunded_minor) as revenue
      from orders join order_lines line on line.store_id = $1 and line.order_id = orders.id
      where orders.store_id = $1 group by 1, 2
    )
    insert into product_spans (store_id, span, first_day, product_id, currency, quantity, revenue_minor)
    select $1, 'day', day, product_id, 'USD', quantity, revenue from day
    union all
    select $1, 'month', date_trunc('month', day)::date, product_id, 'USD', sum(quantity), sum(revenue)
    from day group by 3, 4`,
    [storeId],
  )
  await client.query(
    `insert into store_visits (store_id, day, id, visits)
    select $1, (now() at time zone 'UTC')::date - n, gen_random_uuid(), 1000 + n from generate_series(1, 800) n`,
    [storeId],
  )
}
