import assert from 'node:assert/strict'
import { refundOrder } from '@keystall/contract/endpoints/orders'
import { reviewProduct } from '@keystall/contract/endpoints/reviews'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { transact } from '#platform/db/transaction'
import { call, useServer } from '#test/harness'
import { anOrder, aProduct, aShop, pay } from '#test/shop'
import { aVisitor } from '#test/visitor'
import { askForReview } from './request.ts'

const server = useServer({ hasJobs: false })

async function aDelivered(reviewRequestDays: number | null = 7, given: Record<string, unknown> = {}) {
  const seller = await aShop(server, { store: { reviewRequestDays } })
  const product = await aProduct(seller, { items: 5, name: 'Antivirus' })
  const order = await anOrder(seller, product, given)
  await pay(server, order)
  return { seller, product, order, named: { storeId: seller.storeId, orderId: order.id } }
}

function ask(named: { storeId: string; orderId: string }) {
  return transact(server.platform.db, (tx) => askForReview(tx, server.platform, named))
}

async function asksTo({ customer }: { customer: { emailAddress: string } }) {
  const { rows } = await sql<{ subject: string; text: string; unsubscribeUrl: string | null }>`
    select subject, text, unsubscribe_url from mails
    where to_address = ${customer.emailAddress} and unsubscribe_url is not null
  `.execute(server.platform.db)
  return rows
}

async function waiting(orderId: string) {
  const { rows } = await sql<{ days: number }>`
    select round(extract(epoch from run_at - now()) / 86400)::integer as days from jobs
    where queue = 'ask-for-review' and data ->> 'orderId' = ${orderId}
  `.execute(server.platform.db)
  return rows.map(({ days }) => days)
}

describe('the mail that asks for a review', () => {
  test('is promised with the delivery, as many days later as the store wants', async () => {
    const { order } = await aDelivered(7)
    assert.deepEqual(await waiting(order.id), [7])
    assert.deepEqual(await waiting((await aDelivered(null)).order.id), [])
    assert.deepEqual(await waiting((await aDelivered(7, { sendReceipt: false })).order.id), [])
  })

  test('leads to the review, names the products, and comes once', async () => {
    const { order, named } = await aDelivered()
    await Promise.all([ask(named), ask(named), ask(named)])
    await ask(named)
    const [mail, second] = await asksTo(order)
    assert.equal(second, undefined)
    assert.match(mail?.text ?? '', /Antivirus/)
    assert.match(mail?.text ?? '', new RegExp(`/checkout/${order.id}\\?key=\\S+#review`))
    assert.ok(mail?.text.includes(mail.unsubscribeUrl ?? '?'))
  })

  test.each([
    [
      'reviewed',
      async ({ order, product }: Awaited<ReturnType<typeof aDelivered>>) => {
        const body = { productId: product.id, rating: 5 }
        await call(server, reviewProduct, { path: { orderId: order.id }, body }, { orderKey: order.key })
      },
    ],
    [
      'refunded in part',
      async ({ seller, order }: Awaited<ReturnType<typeof aDelivered>>) => {
        await seller.call(refundOrder, { path: { orderId: order.id }, body: { amount: 1 } })
      },
    ],
    [
      'of a store that no longer asks',
      async ({ seller }: Awaited<ReturnType<typeof aDelivered>>) => {
        await sql`update stores set review_request_days = null where id = ${seller.storeId}`.execute(server.platform.db)
      },
    ],
    [
      'of an erased customer',
      async ({ order }: Awaited<ReturnType<typeof aDelivered>>) => {
        await sql`update customers set erased_at = now() where id = ${order.customer.id}`.execute(server.platform.db)
      },
    ],
  ])('an order %s is not asked about', async (_, change) => {
    const delivered = await aDelivered()
    await change(delivered)
    await ask(delivered.named)
    assert.deepEqual(await asksTo(delivered.order), [])
  })

  test('the link in it stops all further ones, by a button or by the mail program', async () => {
    const { seller, order, named, product } = await aDelivered()
    await ask(named)
    const [mail] = await asksTo(order)
    const link = new URL(mail?.unsubscribeUrl ?? '')
    const at = link.pathname + link.search
    const visitor = await aVisitor(server, seller)
    const looked = await visitor.get(at)
    assert.match(looked.text, /No more such mails/)
    const wrong = await visitor.post(at.replace(/key=.*/, 'key=wrong'), {})
    assert.equal(wrong.status, 404)
    const done = await visitor.post(at, { 'List-Unsubscribe': 'One-Click' }, { origin: 'https://mail.example' })
    assert.deepEqual([done.status, /will not ask you/.test(done.text)], [200, true])

    const again = await anOrder(seller, product, { emailAddress: order.customer.emailAddress })
    await pay(server, again)
    await ask({ ...named, orderId: again.id })
    assert.equal((await asksTo(order)).length, 1)
    const other = await aVisitor(server, await aShop(server))
    assert.equal((await other.get(at)).status, 404)
  })
})
