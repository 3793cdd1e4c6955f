import pg from 'pg'
import { openShop } from './tools/shop.ts'

// How long a page of the marketplace takes with 100,000 products of 1,000 stores: the median of one asker's requests.

const targetMs = 50
const tries = 15
const paths = {
  front: '/',
  'page 40': '/?page=40',
  'a common word': '/?q=garden',
  'a common word, newest': '/?q=garden&sort=newest',
  'a tag, best rated': '/?tag=games&sort=rated',
  'three words': '/?q=quiet+river+book',
  'one product': '/?q=atlas+licence+77',
  'two letters': '/?q=ar',
  'one letter': '/?q=x',
  nothing: '/?q=zzz',
}

const shop = await openShop({ products: 0, items: 0 })
await fill(shop.database.url)
const rows: Record<string, { measured: number; target: number }> = {}
for (const [name, path] of Object.entries(paths)) {
  const times: number[] = []
  for (let number = 0; number < tries; number += 1) {
    const begin = performance.now()
    const answer = await fetch(`http://localhost:${shop.port}${path}`)
    await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
    times.push(performance.now() - begin)
  }
  rows[`${name} (ms)`] = { measured: Math.round(median(times) * 10) / 10, target: targetMs }
}
console.table(rows)
await shop.close()
process.exit(Object.values(rows).every(({ measured }) => measured <= targetMs) ? 0 : 1)

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}

async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    insert into stores (id, owner_id, theme_id, social_id, name, url, webhook_secret)
    select gen_random_uuid(), owner_id, gen_random_uuid(), gen_random_uuid(), 'Store ' || number, 'store' || number, webhook_secret
    from stores, generate_series(1, 1000) number where url = 'bench'`)
  await client.query(`
    insert into products (store_id, id, name, cost_minor, visibility, tags, has_items, rating_sum, rating_count, description)
    select stores.id, gen_random_uuid(), initcap(first) || ' ' || second || ' ' || third || ' ' || number,
      100 + number * 7, 0, array[fourth, second], true, rated * 4, rated, repeat('Some words about it. ', 20)
    from stores, generate_series(1, 100) number, lateral (select
      ('{hollow,nebula,mystery,small,forty,ink,founder,silver,golden,crimson,quiet,rapid}'::text[])[1 + hash % 12] as first,
      ('{garden,drift,badge,handbook,well,lantern,forest,castle,river,engine,atlas,orbit}'::text[])[1 + hash / 12 % 12] as second,
      ('{key,licence,book,pack,bundle}'::text[])[1 + hash / 144 % 5] as third,
      ('{games,software,books,music,icons,fonts,keys,tools,art,video}'::text[])[1 + hash / 720 % 10] as fourth,
      case when hash / 7200 % 3 = 0 then hash / 21600 % 40 else 0 end as rated
      from (select abs(hashtext(stores.id::text || number)) as hash) hashed
    ) words where stores.url <> 'bench'`)
  await client.query(`
    insert into product_counts (store_id, product_id, slot, available)
    select store_id, id, 0, cost_minor % 5 from products on conflict do nothing`)
  await client.query('analyze')
  await client.end()
}
