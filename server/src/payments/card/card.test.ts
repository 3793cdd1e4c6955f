import assert from 'node:assert/strict'
import { payOrder } from '@keystall/contract/endpoints/checkout'
import { createOrder, getOrder, listOrderHistory, refundOrder } from '@keystall/contract/endpoints/orders'
import {
  hearPaymentNotice,
  listPaymentSettings,
  savePaymentSettings,
  switchPaymentMethod,
  testPaymentSettings,
} from '@keystall/contract/endpoints/payment-methods'
import { getUser } from '@keystall/contract/endpoints/user'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { announce } from '#platform/jobs/wake'
import type { Seller } from '#test/factories'
import { call, type TestServer, useServer } from '#test/harness'
import { aProduct, aShop, anOrder, orderForm, until, view } from '#test/shop'
import { aStripe } from '#test/stripe'
import { stripeKeys } from '#test/stripe-server'

const stripe = await aStripe()
const server: TestServer = useServer({ env: { STRIPE_URL: stripe.url } })

async function aCardShop(given: Parameters<typeof aShop>[1] = {}): Promise<Seller> {
  const seller = await aShop(server, given)
  const saved = await seller.call(savePaymentSettings, { path: { method: 'card' }, body: { settings: stripeKeys } })
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  return seller
}

type Order = { id: string; key: string }

function begin({ id, key }: Order) {
  return call(server, payOrder, { path: { orderId: id } }, { orderKey: key })
}

function tell(seller: Seller, { body, headers }: { body: string; headers: Record<string, string> }) {
  return call(server, hearPaymentNotice, { path: { storeId: seller.storeId, method: 'card' }, body, headers })
}

async function anOpenOrder(seller: Seller, form: Record<string, unknown> = {}) {
  const product = await aProduct(seller, { items: 3, ...form })
  const order = await anOrder(seller, product, { gateway: 'card' })
  const { data } = await begin(order)
  return { order, step: data, session: stripe.sessionOf(order.id) }
}

async function statusOf(seller: Seller, { id }: Order) {
  const { reply } = await seller.call(getOrder, { path: { orderId: id } })
  return reply.status
}

async function deliveriesOf(seller: Seller, { id }: Order) {
  const { data } = await seller.call(listOrderHistory, { path: { orderId: id } })
  return data.filter(({ kind }) => kind === 'delivered').length
}

describe('PUT /stores/{storeId}/payment-methods/card', () => {
  test('a key that Stripe refuses, one of the other mode and one of the wrong form are refused by name', async () => {
    const seller = await aShop(server)
    const save = (settings: Record<string, unknown>) =>
      seller.call(savePaymentSettings, { path: { method: 'card' }, body: { settings } })

    const wrong = await save({ ...stripeKeys, secretKey: 'sk_test_somebodyElses' })
    const live = await save({ ...stripeKeys, publishableKey: 'pk_live_canary' })
    const malformed = await save({ ...stripeKeys, secretKey: 'hello' })
    const missing = await save({})
    assert.match(wrong.refused?.fields?.['settings.secretKey'] ?? '', /refused by Stripe/)
    assert.match(live.refused?.fields?.['settings.secretKey'] ?? '', /test mode/)
    assert.match(malformed.refused?.fields?.['settings.secretKey'] ?? '', /must begin with/)
    assert.deepEqual(missing.refused?.fields, {
      'settings.publishableKey': 'is required',
      'settings.secretKey': 'is required',
    })
    const { data } = await seller.call(listPaymentSettings)
    assert.equal(data.find(({ id }) => id === 'card')?.isSetUp, false)
  })

  test('secrets are kept when they are not sent again, and never shown', async () => {
    const seller = await aCardShop()
    const { publishableKey } = stripeKeys
    const again = await seller.call(savePaymentSettings, {
      path: { method: 'card' },
      body: { settings: { publishableKey } },
    })
    const tested = await seller.call(testPaymentSettings, { path: { method: 'card' } })
    assert.equal(again.data.fields.find(({ name }) => name === 'secretKey')?.isSet, true)
    assert.equal(tested.data.problem, null)
    assert.doesNotMatch(JSON.stringify([again.body, tested.body]), /canarySecretKey|canaryWebhookSecret/)
    const { data: user } = await seller.call(getUser)
    assert.deepEqual([user.stripeEnabled, user.cardOptions?.publishableKey], [true, publishableKey])
  })

  test('switched off, nobody can choose it; what was paid before is still heard of', async () => {
    const seller = await aCardShop()
    const { order, session } = await anOpenOrder(seller)
    await seller.call(switchPaymentMethod, { path: { method: 'card' }, body: { isEnabled: false } })
    const product = await aProduct(seller, { items: 1 })
    const refused = await seller.call(createOrder, { body: orderForm(product, { gateway: 'card' }) })
    assert.deepEqual(refused.refused?.fields, { gateway: 'is not taken by this store' })
    stripe.pay(session)
    await tell(seller, stripe.notice('checkout.session.completed', session))
    assert.equal(await statusOf(seller, order), 'Delivered')
  })

  test('a method that the owner is refused is refused everywhere', async () => {
    const seller = await aCardShop()
    const { order } = await anOpenOrder(seller)
    await sql`update users set disabled_payment_methods = '{"card": "under review"}' where id = ${seller.user.id}`.execute(
      server.platform.db,
    )
    const { data } = await seller.call(listPaymentSettings)
    assert.equal(data.find(({ id }) => id === 'card')?.disabledReason, 'under review')
    assert.equal((await begin(order)).refused?.status, 409)
  })
})

describe('POST /orders/{orderId}/pay', () => {
  test('answers a page of Stripe over what is due, and the same page again', async () => {
    const seller = await aCardShop()
    const { order, step, session } = await anOpenOrder(seller, { cost: 12.34 })
    const again = await Promise.all([begin(order), begin(order)])
    assert.equal(step.redirectUrl, session.url)
    assert.deepEqual(
      again.map(({ data }) => data.redirectUrl),
      [session.url, session.url],
    )
    assert.deepEqual([session.amount_total, session.currency], [1234, 'usd'])
    assert.match(session.success_url, new RegExp(`/checkout/${order.id}\\?key=.+&returned=card$`))
  })

  test.each([
    ['JPY', 500, 500],
    ['KWD', 1.25, 1250],
    ['ISK', 70, 7000],
  ])('%s %d is %i there, and paid in full here', async (preferredCurrency, cost, amount) => {
    const seller = await aCardShop({ store: { preferredCurrency } })
    const { order, session } = await anOpenOrder(seller, { cost })
    assert.equal(session.amount_total, amount)
    stripe.pay(session)
    await tell(seller, stripe.notice('checkout.session.completed', session))
    const { data } = await view(server, order)
    assert.deepEqual([data.status, data.amountPaid], ['Delivered', cost])
  })

  test('while Stripe is away it says to try again', async () => {
    const seller = await aCardShop()
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }), { gateway: 'card' })
    stripe.state.isAway = true
    const away = await begin(order)
    stripe.state.isAway = false
    assert.equal(away.refused?.status, 503)
    assert.equal((await begin(order)).status, 200)
  })
})

describe('POST /stores/{storeId}/payment-methods/card/notices', () => {
  test('the same notice ten times at once delivers once, with its fee', async () => {
    const seller = await aCardShop()
    const { order, session } = await anOpenOrder(seller)
    stripe.pay(session)
    const notice = stripe.notice('checkout.session.completed', session)
    const answers = await Promise.all(Array.from({ length: 10 }, () => tell(seller, notice)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const { reply } = await seller.call(getOrder, { path: { orderId: order.id } })
    assert.deepEqual(
      [reply.status, reply.amountPaid, reply.gatewayFee, reply.transactionId, await deliveriesOf(seller, order)],
      ['Delivered', 10, 0.59, session.payment_intent, 1],
    )
  })

  test('every order of arrival ends the same', async () => {
    const seller = await aCardShop()
    const types = ['checkout.session.completed', 'charge.refunded', 'charge.dispute.created'] as const
    const orders = permutations([...types])
    for (const arrival of orders) {
      const { order, session } = await anOpenOrder(seller)
      const intent = stripe.pay(session)
      stripe.refund(intent.id, 300)
      stripe.dispute(intent.id)
      const notices = arrival.map((type) =>
        stripe.notice(type, type === 'checkout.session.completed' ? session : { id: 'x', payment_intent: intent.id }),
      )
      // Each twice at once, in this order, and then all of them again.
      for (const notice of notices) {
        const answers = await Promise.all([tell(seller, notice), tell(seller, notice)])
        assert.deepEqual(
          answers.map(({ status }) => status),
          [200, 200],
        )
      }
      await Promise.all(notices.map((notice) => tell(seller, notice)))
      const { reply } = await seller.call(getOrder, { path: { orderId: order.id } })
      const { status, amountPaid, gatewayFee, deliveredItem } = reply
      assert.deepEqual(
        [arrival, status, amountPaid, gatewayFee, deliveredItem, await deliveriesOf(seller, order)],
        [arrival, 'Disputed', 7, 0.59, 'item 1', 1],
      )
    }
  })

  test('a forged, an old and an unsigned notice are refused, and change nothing', async () => {
    const seller = await aCardShop()
    const { order, session } = await anOpenOrder(seller)
    stripe.pay(session)
    const good = stripe.notice('checkout.session.completed', session)
    const forged = stripe.notice('checkout.session.completed', session, { secret: 'whsec_somebodyElses' })
    const changed = { ...good, body: good.body.replace(session.id, 'cs_other') }
    const unsigned = { ...good, headers: { 'content-type': 'application/json' } }
    const old = stripe.notice('checkout.session.completed', session, { ageSeconds: 301 })
    for (const bad of [forged, changed, unsigned, old]) assert.equal((await tell(seller, bad)).refused?.status, 400)
    assert.equal(await statusOf(seller, order), 'Incomplete')
    const other = await aCardShop()
    assert.equal((await tell(other, good)).status, 200)
    assert.equal(await statusOf(seller, order), 'Incomplete')
  })

  test('a bank that works on it keeps the order pending, whichever way it ends', async () => {
    const seller = await aCardShop()
    const paid = await anOpenOrder(seller)
    const failed = await anOpenOrder(seller)
    for (const { session, order } of [paid, failed]) {
      stripe.pay(session, 'processing')
      await tell(seller, stripe.notice('checkout.session.completed', session))
      assert.equal(await statusOf(seller, order), 'Pending')
    }
    stripe.endAsync(paid.session, true)
    stripe.endAsync(failed.session, false)
    await tell(seller, stripe.notice('checkout.session.async_payment_succeeded', paid.session))
    await tell(seller, stripe.notice('checkout.session.async_payment_failed', failed.session))
    assert.deepEqual(
      [await statusOf(seller, paid.order), await statusOf(seller, failed.order)],
      ['Delivered', 'Incomplete'],
    )
    // The second try is another session, and what is told again of the first does not end it.
    await begin(failed.order)
    const second = stripe.sessionOf(failed.order.id)
    assert.notEqual(second.id, failed.session.id)
    stripe.pay(second, 'processing')
    await tell(seller, stripe.notice('checkout.session.completed', second))
    await tell(seller, stripe.notice('checkout.session.async_payment_failed', failed.session))
    assert.equal(await statusOf(seller, failed.order), 'Pending')
    stripe.endAsync(second, true)
    await tell(seller, stripe.notice('checkout.session.async_payment_succeeded', second))
    assert.equal(await statusOf(seller, failed.order), 'Delivered')
  })

  test('a dispute that is won gives the order back, one that is lost ends it', async () => {
    const seller = await aCardShop()
    const outcomes = [
      ['won', 'Delivered'],
      ['lost', 'Refunded'],
      ['warning_needs_response', 'Delivered'],
    ]
    for (const [outcome = '', status] of outcomes) {
      const { order, session } = await anOpenOrder(seller)
      const intent = stripe.pay(session)
      await tell(seller, stripe.notice('checkout.session.completed', session))
      const first = outcome.startsWith('warning') ? outcome : 'needs_response'
      await tell(seller, stripe.notice('charge.dispute.created', stripe.dispute(intent.id, first)))
      if (first !== outcome) assert.equal(await statusOf(seller, order), 'Disputed')
      const ended = stripe.notice('charge.dispute.closed', stripe.dispute(intent.id, outcome))
      await tell(seller, ended)
      await tell(seller, ended)
      assert.equal(await statusOf(seller, order), status)
    }
  })

  test('an early fraud warning is noted once, and the seller sees it', async () => {
    const seller = await aCardShop()
    const { order, session } = await anOpenOrder(seller)
    const intent = stripe.pay(session)
    const notice = stripe.notice('radar.early_fraud_warning.created', stripe.warn(intent.id))
    await tell(seller, notice)
    await tell(seller, notice)
    const { data: history } = await seller.call(listOrderHistory, { path: { orderId: order.id } })
    assert.equal(history.filter(({ kind }) => kind === 'early-fraud-warning').length, 1)
    const { data: user } = await seller.call(getUser)
    const [report] = user.fraudReports
    assert.deepEqual([report?.type, report?.gateway, report?.resolved], ['early_fraud_warning', 'card', false])
  })

  test('a payment that comes after the order ended is not lost', async () => {
    const seller = await aCardShop()
    const { order, session } = await anOpenOrder(seller)
    await endOrder(order)
    stripe.pay(session)
    await tell(seller, stripe.notice('checkout.session.completed', session))
    assert.equal(await statusOf(seller, order), 'Delivered')
  })
})

describe('a notice that never came', () => {
  test('is found by asking after an hour, and once', async () => {
    const seller = await aCardShop()
    const { order, session } = await anOpenOrder(seller)
    stripe.pay(session)
    await anHourLater()
    await until(async () => (await statusOf(seller, order)) === 'Delivered')
    await tell(seller, stripe.notice('checkout.session.completed', session))
    assert.equal(await deliveriesOf(seller, order), 1)
  })

  test('a session whose order has ended is ended there too', async () => {
    const seller = await aCardShop()
    const { order, session } = await anOpenOrder(seller)
    await endOrder(order)
    await anHourLater()
    await until(async () => session.status === 'expired')
  })
})

describe('POST /stores/{storeId}/orders/{orderId}/refund', () => {
  test('goes back through Stripe, once, and the notice of it changes nothing', async () => {
    const seller = await aCardShop()
    const { order, session } = await anOpenOrder(seller)
    const intent = stripe.pay(session)
    await tell(seller, stripe.notice('checkout.session.completed', session))
    await seller.call(refundOrder, { path: { orderId: order.id }, body: { amount: 4 } })
    await until(async () => (await view(server, order)).data.amountPaid === 6)
    await tell(seller, stripe.notice('charge.refunded', { id: 'ch', payment_intent: intent.id }))
    await seller.call(refundOrder, { path: { orderId: order.id }, body: {} })
    await until(async () => (await statusOf(seller, order)) === 'Refunded')
    assert.equal((await view(server, order)).data.amountPaid, 0)
  })
})

function permutations<T>(list: T[]): T[][] {
  return list.length < 2
    ? [list]
    : list.flatMap((first, index) => permutations(list.toSpliced(index, 1)).map((rest) => [first, ...rest]))
}

async function anHourLater(queue = 'reconcile-card'): Promise<void> {
  await sql`update jobs set run_at = now() where queue = ${queue}`.execute(server.platform.db)
  announce()
}

async function endOrder({ id }: Order): Promise<void> {
  const { db } = server.platform
  await sql`update orders set expires_at = now() where id = ${id}`.execute(db)
  await anHourLater('expire-order')
  await until(async () => {
    const { rows } = await sql<{ status: string }>`select status from orders where id = ${id}`.execute(db)
    return rows[0]?.status === 'Cancelled'
  })
}
