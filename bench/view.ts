import { request } from 'node:http'
import pg from 'pg'
import { type Counterpart, startCounterpart } from './tools/children.ts'
import { get } from './tools/load.ts'
import { asking, measure } from './tools/measure.ts'
import { openShop } from './tools/shop.ts'
import { report, type Row } from './tools/table.ts'

/**
 * Reading: what anybody may see, beside a bare server that sends the same bytes, headers and all; what a key may see,
 * beside one query whose answer is sent as the same bytes.
 */
const shop = await openShop({ products: 30, items: 5 })
const bare = await startCounterpart('bare')
const api = `localhost:${shop.port}`
const page = `${shop.label}.localhost:${shop.port}`
const authorization = `Bearer ${shop.apiKey}`
const [first] = shop.productIds
const rows: Row[] = []
/** Ports of the limits that have been asked long enough. */
const warm = new Set<number>()

await asBare('product view', `/products/${first}/view`, { host: api }, 0.7)
await asBare('store view', `/stores/${shop.label}/view`, { host: api }, 0.7)
await asBare('product view, known', `/products/${first}/view`, { host: api }, 0.85, 304)
await asBare('store view, known', `/stores/${shop.label}/view`, { host: api }, 0.85, 304)
await asBare('home page', '/', { host: page }, 0.4)
await asBare('product page', `/product/${first}`, { host: page }, 0.4)

const oneQuery = await startOneQuery()
await asQuery(
  'product by id, with key',
  shop.productIds.map((id) => `/stores/${shop.storeId}/products/${id}`),
)
await asQuery(
  'page of 15 products, with key',
  [1, 2].map((number) => `/stores/${shop.storeId}/products/${number}`),
)

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
  const { headers: sent } = await answerTo(path, headers)
  const asked = status === 304 ? { ...headers, 'if-none-match': sent['etag'] ?? '' } : headers
  const answer = await answerTo(path, asked)
  if (answer.status !== status) throw new Error(`${path} answers ${answer.status}`)
  await bare.ask({ ...answer, body: answer.body.toString('base64') })
  const text = get(path, asked)
  const request = () => text
  await beside(name, share, { port: shop.port, status, request }, { port: bare.port, status, request })
}

/** Each caller asks for the next of them, by turns. */
async function asQuery(name: string, paths: string[]): Promise<void> {
  const first = paths[0] ?? ''
  // The length is each text's own, and Fastify counts it.
  const { 'content-length': _length, ...headers } = (await answerTo(first, { host: api, authorization })).headers
  const texts = await Promise.all(
    paths.map(async (path) => String((await answerTo(path, { host: api, authorization })).body)),
  )
  await oneQuery.ask({ texts, headers })
  const inTurn = (requests: string[]) => (count: number) => requests[count % requests.length] ?? ''
  await beside(
    name,
    0.6,
    { port: shop.port, status: 200, request: inTurn(paths.map((path) => get(path, { host: api, authorization }))) },
    { port: oneQuery.port, status: 200, request: inTurn(paths.map((_, id) => get(`/${id}`, { host: api }))) },
  )
}

type Asked = Parameters<typeof asking>[0]

async function beside(name: string, share: number, product: Asked, limit: Asked): Promise<void> {
  // Until Node has compiled what is used most, either side takes half as long again. Another path to the same uses the same.
  if (!warm.has(limit.port)) for (const side of [product, limit]) await asking(side)(2)
  warm.add(limit.port)
  rows.push(await measure({ name, server: shop.product.child, run: asking(product), limit: asking(limit), share }))
}

async function startOneQuery(): Promise<Counterpart> {
  const client = new pg.Client({ connectionString: shop.database.url })
  await client.connect()
  await client.query('create table bench_answers (id int primary key, text text not null)')
  await client.end()
  return startCounterpart('one-query', { DATABASE_URL: shop.database.url })
}

/** Asked over the wire, because fetch sets no Host. Without what Node itself adds to any answer. */
async function answerTo(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; body: Buffer; headers: Record<string, string> }>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: shop.port, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const status = response.statusCode ?? 0
        if (status !== 200 && status !== 304) return reject(new Error(`${path} answers ${status}`))
        const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...sent } = response.headers
        const named = Object.entries(sent).map(([name, value]) => [name, String(value)])
        resolve({ status, body: Buffer.concat(chunks), headers: Object.fromEntries(named) })
      })
    })
    asked.on('error', reject).end()
  })
}
