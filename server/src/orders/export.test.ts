import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createOrder, exportOrders as contractExport } from '@keystall/contract/endpoints/orders'
import { sql } from 'kysely'
import { assert, describe, test } from 'vitest'
import { aSeller } from '#test/factories'
import { aFreeOrder, aFreeProduct } from '#test/free-orders'
import { useServer } from '#test/harness'
import { exportOrders } from './export.ts'

const server = useServer()

describe('GET /stores/{storeId}/orders/export.csv', () => {
  test('every order is a row, and formulas are text', async () => {
    const seller = await aSeller(server)
    const productId = await aFreeProduct(seller, { cost: 1 })
    const body = { items: [{ productId, quantity: 2 }], gateway: 'test', emailAddress: '=cmd@example.com' }
    const made = (await seller.call(createOrder, { body })).data[0]
    const answer = await seller.call(contractExport)
    assert.match(String(answer.headers['content-type']), /^text\/csv/)
    const [header, row, ...rest] = String(answer.body).trim().split('\n')
    assert.match(header ?? '', /^\uFEFF?id,dateCreated,status,emailAddress,products,quantity,currency/)
    assert.include(row ?? '', `${made?.order.id},`)
    assert.include(row ?? '', "'=cmd@example.com,2 × Licence,2,USD,2,0,0,2,0,0,test")
    assert.deepEqual(rest, [])
  })

  test('a hundred thousand orders take no more memory than a few, and none is missed or told twice', {
    timeout: 120_000,
  }, async () => {
    const seller = await aSeller(server)
    await aFreeOrder(seller, await aFreeProduct(seller))
    await multiply(seller.storeId, 100_000)
    const { db } = server.platform
    const store = await db.selectFrom('stores').selectAll().where('id', '=', seller.storeId).executeTakeFirstOrThrow()
    const ids = new Set<string>()
    const liveBytes: number[] = []
    let text = ''
    const reader = new Writable({
      write(chunk: Buffer, _encoding, done) {
        const lines = (text + chunk.toString('utf8')).split('\n')
        text = lines.pop() ?? ''
        // Copied, because a part of a string keeps the whole.
        for (const line of lines) ids.add(Buffer.from(line.slice(0, 36)).toString('latin1'))
        if (ids.size > (liveBytes.length + 1) * 20_000) liveBytes.push(bytesInUse())
        done()
      },
    })
    await pipeline(exportOrders(db, store), reader)
    assert.equal(ids.size, 100_002)
    // What the test itself keeps of each order is about 100 bytes; an order held back would be more than 2,000.
    const [first = 0, ...later] = liveBytes
    assert.equal(later.length, 4)
    assert.isBelow(Math.max(...later) - first, 24 * 1024 * 1024)
  })
})

/** After everything that nobody needs is gone. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Copies of the store's one order, many at the same moment, so that ties are met. */
async function multiply(storeId: string, count: number): Promise<void> {
  const { db } = server.platform
  for (let made = 0; made < count; made += 10_000) {
    await sql`
      insert into orders (store_id, id, date_created, origin, key, status, gateway, customer_id, quantity, currency,
        exponent, subtotal_minor, discount_minor, fee_minor, cost_minor)
      select store_id, gen_random_uuid(), date_created - make_interval(secs => ${made} + number / 100), origin, key,
        status, gateway, customer_id, quantity, currency, exponent, subtotal_minor, discount_minor, fee_minor, cost_minor
      from (select * from orders where store_id = ${storeId} order by date_created desc, id limit 1) origin,
        generate_series(1, 10000) number
    `.execute(db)
  }
}
