import assert from 'node:assert/strict'
import { payOrder } from '@keystall/contract/endpoints/checkout'
import { getOrder, listOrderHistory, listOrders, refundOrder } from '@keystall/contract/endpoints/orders'
import { hearPaymentNotice, savePaymentSettings } from '@keystall/contract/endpoints/payment-methods'
import { createProduct } from '@keystall/contract/endpoints/products'
import {
  cancelOwnSubscription,
  cancelSubscription,
  listOwnSubscriptions,
  listSubscriptions,
} from '@keystall/contract/endpoints/subscriptions'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { renewSubscription } from '#orders/renewal'
import { loadAnyStore } from '#payments/account'
import { newId } from '#platform/db/ids'
import { announce } from '#platform/jobs/wake'
import type { Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { lastMailTo } from '#test/people'
import { aProduct, aShop, anOrder, pay, until, view } from '#test/shop'
import { aStripe } from '#test/stripe'
import { stripeKeys } from '#test/stripe-server'

const stripe = await aStripe()
const server = useServer({ env: { STRIPE_URL: stripe.url } })
const day = 86_400_000

function aSubscriptionProduct(seller: Seller, form: Record<string, unknown> = {}) {
  return aProduct(seller, { items: 20, type: 1, subscriptionPeriod: 'P30D', ...form })
}

async function aSubscriber(seller: Seller, form: Record<string, unknown> = {}) {
  const product = await aSubscriptionProduct(seller, form)
  const order = await anOrder(seller, product, { gateway: 'test' })
  await pay(server, order)
  return { product, order }
}

async function subscriptionsOf(seller: Seller) {
  const { reply } = await seller.call(listSubscriptions, { path: { page: 1 } })
  return reply.data
}

/** So many days go by for the subscriptions of the store. */
async function later(seller: Seller, days: number, queue = 'renew-subscription'): Promise<void> {
  const { db } = server.platform
  await sql`
    update subscriptions set start_date = start_date - make_interval(days => ${days}),
      expiration_date = expiration_date - make_interval(days => ${days})
    where store_id = ${seller.storeId}
  `.execute(db)
  await sql`
    update jobs set run_at = now()
    where queue = ${queue} and data->>'storeId' = ${seller.storeId}
  `.execute(db)
  announce()
}

async function ordersOf(seller: Seller) {
  const { reply } = await seller.call(listOrders, { path: { page: 1 } })
  return reply.data
}

describe('a subscription', () => {
  test('needs its period, in days or months', async () => {
    const seller = await aShop(server)
    const body = { name: 'Club', cost: 5, visibility: 0, type: 1 }
    const missing = await seller.call(createProduct, { body })
    const wrong = await seller.call(createProduct, { body: { ...body, subscriptionPeriod: 'P1Y' } })
    assert.deepEqual(missing.refused?.fields, { subscriptionPeriod: 'is required for a subscription' })
    assert.match(wrong.refused?.fields?.['subscriptionPeriod'] ?? '', /P30D or P1M/)
  })

  test('begins with the delivery, shows at the customer, and goes on when bought again', async () => {
    const seller = await aShop(server)
    const { product, order } = await aSubscriber(seller)
    const { reply } = await seller.call(getOrder, { path: { orderId: order.id } })
    const [subscription] = reply.customer.subscriptions
    const begun = Date.parse(subscription?.startDate ?? '')
    assert.equal(Date.parse(subscription?.expirationDate ?? '') - begun, 30 * day)
    assert.deepEqual([subscription?.productId, subscription?.storeId], [product.id, seller.storeId])
    assert.equal(reply.products[0]?.product.subscriptionId, subscription?.id)

    const again = await anOrder(seller, product, { gateway: 'test', emailAddress: order.customer.emailAddress })
    await pay(server, again)
    const [longer, ...others] = await subscriptionsOf(seller)
    assert.deepEqual([longer?.emailAddress, longer?.productName], [order.customer.emailAddress, product.name])
    const query = { customerId: newId() }
    const stranger = await seller.call(listSubscriptions, { path: { page: 1 }, query })
    assert.deepEqual(stranger.reply.data, [])
    assert.equal(others.length, 0)
    assert.equal(Date.parse(longer?.expirationDate ?? '') - begun, 60 * day)
  })

  test('months are months', async () => {
    const seller = await aShop(server)
    await aSubscriber(seller, { subscriptionPeriod: 'P1M' })
    const [subscription] = await subscriptionsOf(seller)
    const start = new Date(subscription?.startDate ?? '')
    const end = new Date(subscription?.expirationDate ?? '')
    assert.equal((end.getUTCMonth() - start.getUTCMonth() + 12) % 12, 1)
  })

  test('a link to pay comes before the end, once; paid, it goes on; unpaid, access ends after grace', async () => {
    const seller = await aShop(server)
    const { order } = await aSubscriber(seller)
    await later(seller, 28)
    await until(async () => (await ordersOf(seller)).length === 2)
    await until(async () => /paid until/.test((await lastMailTo(server, order.customer.emailAddress)).text))
    await later(seller, 0)
    const [renewal] = await ordersOf(seller)
    assert.ok(renewal)
    await pay(server, renewal)
    const [renewed] = await subscriptionsOf(seller)
    assert.equal(Date.parse(renewed?.expirationDate ?? '') - Date.parse(renewed?.startDate ?? ''), 60 * day)
    assert.equal((await ordersOf(seller)).length, 2)

    await later(seller, 31)
    await until(async () => (await ordersOf(seller)).length === 3)
    await later(seller, 5, 'end-subscription')
    await until(async () => (await subscriptionsOf(seller))[0]?.endedAt !== null)
    assert.match((await lastMailTo(server, order.customer.emailAddress)).text, /not renewed/)
    const { rows } = await sql<{ cut: boolean }>`
      select file_cut_at is not null as cut from order_lines where order_id = ${order.id}
    `.execute(server.platform.db)
    assert.equal(rows[0]?.cut, true)
  })

  test('one that cannot be renewed is told to the seller once for each product, though its job is done twice', async () => {
    const seller = await aShop(server)
    const products = [
      await aSubscriptionProduct(seller, { items: 1 }),
      await aSubscriptionProduct(seller, { items: 1 }),
    ]
    const order = await anOrder(seller, products, { gateway: 'test' })
    await pay(server, order)
    const { db } = server.platform
    const soon = sql`update subscriptions set expiration_date = now() where store_id = ${seller.storeId}`
    await soon.execute(db)
    const store = await loadAnyStore(db, seller.storeId)
    for (let time = 0; time < 2; time += 1) {
      for (const { id: subscriptionId } of await subscriptionsOf(seller))
        await renewSubscription(server.platform, store, { storeId: store.id, subscriptionId })
    }
    const { rows } = await sql<{ text: string }>`
      select text from mails where to_address = ${seller.user.emailAddress} and subject like 'A subscription could not%'
    `.execute(db)
    const reasons = products.map(({ name }) => `${name}: `)
    assert.equal(rows.length, 2)
    assert.ok(reasons.every((reason) => rows.some(({ text }) => text.includes(reason))))
    const { data } = await seller.call(listOrderHistory, { path: { orderId: order.id } })
    assert.equal(data.filter(({ kind }) => kind === 'renewal-failed').length, 2)
  })

  test('cancelled by buyer or seller it is not renewed, and is kept until its end', async () => {
    const seller = await aShop(server)
    const { order } = await aSubscriber(seller)
    const own = await call(server, listOwnSubscriptions, { path: { orderId: order.id } }, { orderKey: order.key })
    const subscriptionId = own.data[0]?.id ?? ''
    const path = { orderId: order.id, subscriptionId }
    const cancelled = await call(server, cancelOwnSubscription, { path }, { orderKey: order.key })
    assert.ok(cancelled.data.cancelledAt)
    await seller.call(cancelSubscription, { path: { subscriptionId } })
    await later(seller, 29)
    const [live] = await subscriptionsOf(seller)
    assert.equal(live?.endedAt, null)
    await later(seller, 2, 'end-subscription')
    await until(async () => (await subscriptionsOf(seller))[0]?.endedAt !== null)
    assert.equal((await ordersOf(seller)).length, 1)

    const stranger = await aSubscriber(await aShop(server))
    const foreign = { orderId: stranger.order.id, subscriptionId }
    const refused = await call(server, cancelOwnSubscription, { path: foreign }, { orderKey: stranger.order.key })
    assert.equal(refused.refused?.status, 404)
  })
})

describe('a refund of a subscription', () => {
  test('whole, it takes its time off, nothing is renewed, and the buyer is told; in part, nothing changes', async () => {
    const seller = await aShop(server)
    const { product, order } = await aSubscriber(seller)
    const { emailAddress } = order.customer
    const second = await anOrder(seller, product, { gateway: 'test', emailAddress })
    await pay(server, second)
    const refund = (orderId: string, body: Record<string, unknown> = {}) =>
      seller.call(refundOrder, { path: { orderId }, body })
    const lasts = async () => {
      const [subscription] = await subscriptionsOf(seller)
      const [from, to] = [subscription?.startDate ?? '', subscription?.expirationDate ?? '']
      return [Math.round((Date.parse(to) - Date.parse(from)) / day), subscription?.cancelledAt !== null]
    }
    await refund(second.id, { amount: 4 })
    assert.deepEqual(await lasts(), [60, false])
    await refund(second.id)
    assert.deepEqual(await lasts(), [30, true])
    assert.match((await lastMailTo(server, emailAddress)).text, /refunded, and nothing will be renewed. What you paid/)
    const { data: history } = await seller.call(listOrderHistory, { path: { orderId: second.id } })
    assert.deepEqual(
      history.slice(-2).map(({ kind }) => kind),
      ['refunded', 'subscription-cancelled'],
    )
    await later(seller, 28)
    assert.equal((await ordersOf(seller)).length, 2)

    await refund(order.id)
    await later(seller, 0, 'end-subscription')
    await until(async () => (await subscriptionsOf(seller))[0]?.endedAt !== null)
    assert.match((await lastMailTo(server, emailAddress)).text, /It has ended/)
  })
})

describe('renewal by card', () => {
  async function aCardSubscriber() {
    const seller = await aShop(server)
    await seller.call(savePaymentSettings, { path: { method: 'card' }, body: { settings: stripeKeys } })
    const product = await aSubscriptionProduct(seller)
    const order = await anOrder(seller, product, { gateway: 'card' })
    await call(server, payOrder, { path: { orderId: order.id } }, { orderKey: order.key })
    const session = stripe.sessionOf(order.id)
    const intent = stripe.pay(session)
    const { body, headers } = stripe.notice('checkout.session.completed', session)
    await call(server, hearPaymentNotice, { path: { storeId: seller.storeId, method: 'card' }, body, headers })
    assert.equal((await view(server, order)).data.status, 'Delivered')
    return { seller, product, order, intent }
  }

  test('the saved card is charged on the day, once, and the next period is delivered', async () => {
    const { seller } = await aCardSubscriber()
    await later(seller, 30)
    await until(async () => (await ordersOf(seller)).filter(({ status }) => status === 'Delivered').length === 2)
    await later(seller, 0)
    assert.equal((await ordersOf(seller)).length, 2)
    const [subscription] = await subscriptionsOf(seller)
    assert.ok(Date.parse(subscription?.expirationDate ?? '') > Date.now() + 29 * day)
  })

  test('a renewal that is disputed at the bank is found, though no session began it', async () => {
    const { seller, order } = await aCardSubscriber()
    await later(seller, 30)
    const renewal = async () => (await ordersOf(seller)).find(({ id }) => id !== order.id)
    await until(async () => (await renewal())?.status === 'Delivered')
    const dispute = stripe.dispute((await renewal())?.transactionId ?? '')
    const { body, headers } = stripe.notice('charge.dispute.created', dispute)
    const path = { storeId: seller.storeId, method: 'card' }
    assert.equal((await call(server, hearPaymentNotice, { path, body, headers })).status, 200)
    assert.equal((await renewal())?.status, 'Disputed')
  })

  test('a card that is refused, and a price that rose, bring a link instead', async () => {
    const refused = await aCardSubscriber()
    stripe.state.declines.add(`pm_${refused.intent.customer}`)
    await later(refused.seller, 30)
    await until(async () =>
      /Pay the next period/.test((await lastMailTo(server, refused.order.customer.emailAddress)).text),
    )
    const [waiting] = await ordersOf(refused.seller)
    assert.equal(waiting?.status, 'Incomplete')

    const dearer = await aCardSubscriber()
    await sql`update products set cost_minor = cost_minor * 2 where id = ${dearer.product.id}`.execute(
      server.platform.db,
    )
    const before = stripe.calls.filter((each) => each === 'POST /v1/payment_intents').length
    await later(dearer.seller, 30)
    await until(async () =>
      /Pay the next period/.test((await lastMailTo(server, dearer.order.customer.emailAddress)).text),
    )
    assert.equal(stripe.calls.filter((each) => each === 'POST /v1/payment_intents').length, before)
  })

  test('a card that is refused after the processor was away brings the link too', async () => {
    const { seller, order, intent } = await aCardSubscriber()
    const charges = () => stripe.calls.filter((each) => each.endsWith('/v1/payment_intents')).length
    const before = charges()
    stripe.state.isAway = true
    await later(seller, 30)
    // The first try, and its own second call.
    await until(async () => charges() >= before + 2)
    stripe.state.declines.add(`pm_${intent.customer}`)
    stripe.state.isAway = false
    await until(async () => /Pay the next period/.test((await lastMailTo(server, order.customer.emailAddress)).text))
    const renewal = (await ordersOf(seller)).find(({ id }) => id !== order.id)
    const { data } = await seller.call(listOrderHistory, { path: { orderId: renewal?.id ?? '' } })
    assert.equal(data.filter(({ kind }) => kind === 'renewal-link').length, 1)
  })

  /** A renewal that the bank still works on. */
  async function aSlowRenewal() {
    const subscriber = await aCardSubscriber()
    const { seller, order, intent } = subscriber
    stripe.state.slow.add(`pm_${intent.customer}`)
    await later(seller, 30)
    const renewal = async () => (await ordersOf(seller)).find(({ id }) => id !== order.id)
    await until(async () => (await renewal())?.status === 'Pending')
    const id = (await renewal())?.id ?? ''
    const charge = stripe.chargeOf(id)
    assert.ok(charge)
    const kinds = async () => {
      const { data } = await seller.call(listOrderHistory, { path: { orderId: id } })
      return data.map(({ kind }) => kind)
    }
    const tell = (type: string) => {
      const { body, headers } = stripe.notice(type, charge)
      return call(server, hearPaymentNotice, { path: { storeId: seller.storeId, method: 'card' }, body, headers })
    }
    return { ...subscriber, renewal, charge, kinds, tell }
  }

  test('a bank that takes its time: what it says later counts once, and is asked for when it is not told', async () => {
    const paid = await aSlowRenewal()
    assert.ok(!(await paid.kinds()).includes('renewal-link'))
    paid.charge.status = 'succeeded'
    await Promise.all(Array.from({ length: 5 }, () => paid.tell('payment_intent.succeeded')))
    assert.equal((await paid.renewal())?.status, 'Delivered')
    assert.equal((await paid.kinds()).filter((kind) => kind === 'delivered').length, 1)
    const [subscription] = await subscriptionsOf(paid.seller)
    assert.ok(Date.parse(subscription?.expirationDate ?? '') > Date.now() + 29 * day)

    const lost = await aSlowRenewal()
    await later(lost.seller, 0, 'reconcile-charge')
    lost.charge.status = 'succeeded'
    await until(async () => {
      await later(lost.seller, 0, 'reconcile-charge')
      return (await lost.renewal())?.status === 'Delivered'
    })
  })

  test('a bank that refuses at last: the order can be paid for as long as grace lasts, and the link comes once', async () => {
    const { renewal, charge, kinds, tell, order } = await aSlowRenewal()
    charge.status = 'requires_payment_method'
    await Promise.all([1, 2, 3].map(() => tell('payment_intent.payment_failed')))
    await until(async () => /Pay the next period/.test((await lastMailTo(server, order.customer.emailAddress)).text))
    assert.deepEqual(
      [(await renewal())?.status, (await kinds()).filter((kind) => kind === 'renewal-link' || kind === 'declined')],
      ['Incomplete', ['declined', 'renewal-link']],
    )
    const { rows } = await sql<{ days: number }>`
      select extract(day from expires_at - now())::integer as days from orders where id = ${(await renewal())?.id}
    `.execute(server.platform.db)
    assert.ok((rows[0]?.days ?? 0) >= 2)
  })

  test('a processor that is away for long: the link comes meanwhile, and the charge when it is back, once', async () => {
    const { seller, order } = await aCardSubscriber()
    stripe.state.isAway = true
    await later(seller, 31)
    await until(async () => /Pay the next period/.test((await lastMailTo(server, order.customer.emailAddress)).text))
    const job = sql`from jobs where queue = 'renew-subscription' and data->>'storeId' = ${seller.storeId}`
    const failedOnce = async () => {
      const { rows } = await sql<{ tries: number; at: Date | null }>`
        select tries, failed_at as at ${job} and lease is null and last_error is not null
      `.execute(server.platform.db)
      return rows[0]
    }
    await until(async () => (await failedOnce()) !== undefined)
    // Two days of trying every hour.
    await sql`update jobs set tries = 50 where queue = 'renew-subscription' and data->>'storeId' = ${seller.storeId}`.execute(
      server.platform.db,
    )
    await later(seller, 0)
    await until(async () => ((await failedOnce())?.tries ?? 0) > 50)
    stripe.state.isAway = false
    await later(seller, 0)
    await until(async () => (await ordersOf(seller)).filter(({ status }) => status === 'Delivered').length === 2)
    const renewal = (await ordersOf(seller)).find(({ id }) => id !== order.id)
    const { data } = await seller.call(listOrderHistory, { path: { orderId: renewal?.id ?? '' } })
    assert.equal(data.filter(({ kind }) => kind === 'renewal-link').length, 1)
  })

  /** Who was mailed the link while the processor was away, and has opened it. */
  async function aCustomerAtTheLink() {
    const subscriber = await aCardSubscriber()
    const { seller, order } = subscriber
    stripe.state.isAway = true
    await later(seller, 31)
    await until(async () => /Pay the next period/.test((await lastMailTo(server, order.customer.emailAddress)).text))
    stripe.state.isAway = false
    const renewal = (await ordersOf(seller)).find(({ id }) => id !== order.id)
    assert.ok(renewal)
    const open = async () => {
      const { data } = await call(server, payOrder, { path: { orderId: renewal.id } }, { orderKey: renewal.key })
      return data.redirectUrl
    }
    return { ...subscriber, renewal, open, page: await open() }
  }

  test('a customer who is at the link already is not charged twice', async () => {
    const { seller, renewal } = await aCustomerAtTheLink()
    stripe.pay(stripe.sessionOf(renewal.id))
    await later(seller, 0)
    await until(async () => (await ordersOf(seller)).filter(({ status }) => status === 'Delivered').length === 2)
    assert.equal(stripe.chargeOf(renewal.id), undefined)
  })

  test('a customer whose card is refused while they are at the link gets a page that is good', async () => {
    const { seller, intent, renewal, open, page } = await aCustomerAtTheLink()
    stripe.state.declines.add(`pm_${intent.customer}`)
    await later(seller, 0)
    await until(async () => {
      const { data } = await seller.call(listOrderHistory, { path: { orderId: renewal.id } })
      return data.some(({ kind }) => kind === 'declined')
    })
    assert.notEqual(await open(), page)

    // What is told late of the refused card does not end what the customer began since.
    const tell = (type: string, about: Record<string, unknown> | undefined) => {
      const { body, headers } = stripe.notice(type, about ?? {})
      return call(server, hearPaymentNotice, { path: { storeId: seller.storeId, method: 'card' }, body, headers })
    }
    const session = stripe.sessionOf(renewal.id)
    stripe.pay(session, 'processing')
    await tell('checkout.session.completed', session)
    await tell('payment_intent.payment_failed', stripe.chargeOf(renewal.id))
    assert.equal((await ordersOf(seller)).find(({ id }) => id === renewal.id)?.status, 'Pending')
  })
})
