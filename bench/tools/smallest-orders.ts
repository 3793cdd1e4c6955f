import pg from 'pg'
import { inTurns } from './load.ts'

// The limit of a purchase: smallest orders (insert, claim, update), each in one commit, or in as many as it is told.

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
  const { seconds, commits } = Object(message)
  const figures = await inTurns({ seconds, callers: buyers }, (number) => {
    const client = clients[number]
    if (!client) throw new Error('there are as many connections as buyers')
    return { once: () => (commits === 1 ? order(client) : inCommits(client, commits)), close() {} }
  })
  process.send?.(figures)
})
process.send?.({ port: 0 })

/** What is paid at once. */
async function order(client: pg.Client): Promise<void> {
  await client.query('begin')
  await pay(client, await place(client))
  await client.query('commit')
}

/** What is placed with the first commit and changed with every other. */
async function inCommits(client: pg.Client, commits: number): Promise<void> {
  await client.query('begin')
  const id = await place(client)
  await client.query('commit')
  for (let further = 1; further < commits; further += 1) {
    await client.query('begin')
    await pay(client, id)
    await client.query('commit')
  }
}

async function place(client: pg.Client): Promise<string> {
  const id = crypto.randomUUID()
  await client.query({ name: 'order', text: `insert into bench_orders values ($1, 'new')`, values: [id] })
  await client.query({
    name: 'claim',
    text: `update bench_items set order_id = $1 where id = (
      select id from bench_items where product = $2 and order_id is null order by id limit 1 for update skip locked
    )`,
    values: [id, Math.floor(Math.random() * products)],
  })
  return id
}

async function pay(client: pg.Client, id: string): Promise<void> {
  await client.query({ name: 'paid', text: `update bench_orders set status = 'paid' where id = $1`, values: [id] })
}
