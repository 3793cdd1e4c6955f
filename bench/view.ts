import { request } from 'node:http'
import pg from 'pg'
import { type Counterpart, startCounterpart } from './tools/children.ts'
import { get } from './tools/load.ts'
import { asking, measure } from './tools/measure.ts'
import { openShop } from './tools/shop.ts'
import { report, type Row } from './tools/table.ts'

/** Reading: what anybody may see, beside a bare server that sends the same bytes; what a key may see, beside one query. */
const shop = await openShop({ products: 30, items: 5 })
const bare = await startCounterpart('bare')
const api = `localhost:${shop.port}`
const page = `${shop.label}.localhost:${shop.port}`
const authorization = `Bearer ${shop.apiKey}`
const [first] = shop.productIds
const rows: Row[] = []

await asBare('product view', `/products/${first}/view`, { host: api }, 0.7)
await asBare('store view', `/stores/${shop.label}/view`, { host: api }, 0.7)
await asBare('product view, known', `/products/${first}/view`, { host: api }, 0.85, 304)
await asBare('store view, known', `/stores/${shop.label}/view`, { host: api }, 0.85, 304)
await asBare('home page', '/', { host: page }, 0.4)
await asBare('product page', `/product/${first}`, { host: page }, 0.4)

const oneQuery = await startOneQuery([
  await textOf(`/stores/${shop.storeId}/products/${first}`),
  await textOf(`/stores/${shop.storeId}/products/1`),
])
await asQuery('product by id, with key', `/stores/${shop.storeId}/products/${first}`, oneQuery, 0)
await asQuery('page of 15 products, with key', `/stores/${shop.storeId}/products/1`, oneQuery, 1)

const isMet = report('view', rows)
bare.end()
oneQuery.end()
await shop.close()
process.exit(isMet ? 0 : 1)

async function asBare(
  name: string,
  path: string,
  headers: Record<string, string>,
  share: number,
  status = 200,
): Promise<void> {
  const { body, tag, sent } = await answerTo(path, headers)
  await bare.ask({ status, body: body.toString('base64'), headers: status === 304 ? { etag: tag } : sent })
  const text = get(path, status === 304 ? { ...headers, 'if-none-match': tag } : headers)
  rows.push(
    await measure({
      name,
      server: shop.product.child,
      run: asking({ port: shop.port, status, request: () => text }),
      limit: asking({ port: bare.port, status, request: () => text }),
      share,
    }),
  )
}

async function asQuery(name: string, path: string, { port }: Counterpart, index: number): Promise<void> {
  const text = get(path, { host: api, authorization })
  const plain = get(`/${index}`, { host: api })
  rows.push(
    await measure({
      name,
      server: shop.product.child,
      run: asking({ port: shop.port, status: 200, request: () => text }),
      limit: asking({ port, status: 200, request: () => plain }),
      share: 0.6,
    }),
  )
}

async function startOneQuery(texts: string[]): Promise<Counterpart> {
  const client = new pg.Client({ connectionString: shop.database.url })
  await client.connect()
  await client.query('create table bench_answers (id int primary key, text text not null)')
  for (const [id, text] of texts.entries()) await client.query('insert into bench_answers values ($1, $2)', [id, text])
  await client.end()
  return startCounterpart('one-query', { DATABASE_URL: shop.database.url })
}

async function textOf(path: string): Promise<string> {
  const answer = await fetch(`http://${api}${path}`, { headers: { authorization } })
  if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`)
  return answer.text()
}

/** Asked over the wire, because fetch sets no Host. */
async function answerTo(path: string, headers: Record<string, string>) {
  return new Promise<{ body: Buffer; tag: string; sent: Record<string, string> }>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: shop.port, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        if (response.statusCode !== 200) return reject(new Error(`${path} answers ${response.statusCode}`))
        const body = Buffer.concat(chunks)
        const sent = { 'content-type': response.headers['content-type'] ?? '', 'content-length': String(body.length) }
        resolve({ body, tag: response.headers.etag ?? '', sent })
      })
    })
    asked.on('error', reject).end()
  })
}
