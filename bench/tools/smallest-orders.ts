import pg from 'pg'
import { inTurns } from './load.ts'

// The limit of a purchase: as many commits as it is told, each of the smallest order that there can be; or, to compare, of
// one such order that is placed with the first of them and changed with every other.

const buyers = 32
const products = 100
const itemsEach = 2_000

const clients = Array.from({ length: buyers }, () => new pg.Client({ connectionString: process.env['DATABASE_URL'] }))
for (const client of clients) await client.connect()
const [first] = clients
await first?.query(`
  create table if not exists bench_items (id bigserial primary key, product int not null, order_id uuid);
  create table if not exists bench_orders (id uuid primary key, status text not null);
  create index if not exists bench_items_free on bench_items (product, id) where order_id is null;
  truncate bench_items, bench_orders;
  insert into bench_items (product) select n % ${products} from generate_series(1, ${products * itemsEach}) n;
  analyze bench_items;
`)

process.on('message', async (message) => {
  const { seconds, commits, isOneOrder = false } = Object(message)
  const figures = await inTurns({ seconds, callers: buyers }, (number) => {
    const client = clients[number]
    if (!client) throw new Error('there are as many connections as buyers')
    const once = async () => {
      const id = await order(client)
      for (let further = 1; further < commits; further += 1) await (isOneOrder ? change(client, id) : order(client))
    }
    return { once, close() {} }
  })
  process.send?.(figures)
})
process.send?.({ port: 0 })

async function order(client: pg.Client): Promise<string> {
  const id = crypto.randomUUID()
  await client.query('begin')
  await client.query({ name: 'order', text: `insert into bench_orders values ($1, 'new')`, values: [id] })
  await client.query({
    name: 'claim',
    text: `update bench_items set order_id = $1 where id = (
      select id from bench_items where product = $2 and order_id is null order by id limit 1 for update skip locked
    )`,
    values: [id, Math.floor(Math.random() * products)],
  })
  await pay(client, id)
  await client.query('commit')
  return id
}

async function change(client: pg.Client, id: string): Promise<void> {
  await client.query('begin')
  await pay(client, id)
  await client.query('commit')
}

async function pay(client: pg.Client, id: string): Promise<void> {
  await client.query({ name: 'paid', text: `update bench_orders set status = 'paid' where id = $1`, values: [id] })
}
