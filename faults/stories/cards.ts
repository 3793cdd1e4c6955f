import { listOrders, refundOrder } from '../../contract/src/endpoints/orders.ts'
import type { Annex } from '../tools/annex.ts'
import { answered } from '../tools/requests.ts'
import { ask, beginToPay, letTimePass, placeOrder, until, untilOrderIs } from '../tools/telling.ts'

/** The processor's notice never comes: it is asked after an hour. Then a part of the money goes back. */
export async function cardPaidUnheard(annex: Annex): Promise<void> {
  const { stripe } = annex.outside
  const order = await placeOrder(annex, { gateway: 'card', emailAddress: 'card@example.com' })
  await beginToPay(annex, order)
  const session = stripe.sessionOf(order.id)
  const { id: intentId } = stripe.pay(session)
  await letTimePass(annex, { queue: 'reconcile-card', data: { sessionId: session.id } })
  await untilOrderIs(annex, order, 'Delivered')
  const path = { storeId: annex.storeId, orderId: order.id }
  await answered((headers) => annex.seller(refundOrder, { path, body: { amount: 4 }, headers }))
  const back = () =>
    ask<{ amount: string }>(
      annex,
      "select amount_minor as amount from payments where order_id = $1 and kind = 'refund'",
      [order.id],
    )
  await until('a part of the money goes back', async () => (await back()).length > 0)
  annex.expected.set('refunds', async () => {
    const atStripe = stripe.refundsOf(intentId).map((refund) => Number(refund['amount']))
    return [...atStripe, ...(await back()).map(({ amount }) => Math.abs(Number(amount)))].join() === '400,400'
  })
}

/** A subscription is renewed by the card that paid before; its bank takes its time, and is asked later. */
export async function cardRenewed(annex: Annex): Promise<void> {
  const { stripe } = annex.outside
  const { club } = annex.products
  const order = await placeOrder(annex, { gateway: 'card', emailAddress: 'club@example.com', productId: club })
  await beginToPay(annex, order)
  const session = stripe.sessionOf(order.id)
  const { customer } = stripe.pay(session)
  stripe.state.slow.add(`pm_${customer}`)
  await letTimePass(annex, { queue: 'reconcile-card', data: { sessionId: session.id } })
  await untilOrderIs(annex, order, 'Delivered')
  const [subscription] = await ask<{ id: string }>(
    annex,
    "select id from subscriptions where store_id = $1 and product_id = $2 and gateway = 'card'",
    [annex.storeId, club],
  )
  const subscriptionId = subscription?.id ?? ''
  await letTimePass(
    annex,
    { queue: 'renew-subscription', data: { subscriptionId } },
    { text: daysLater, values: [subscriptionId, 30] },
  )
  const renewals = async () => {
    const { data } = await annex.seller(listOrders, { path: { storeId: annex.storeId, page: 1 } })
    return data.filter(({ id, customer }) => id !== order.id && customer.emailAddress === 'club@example.com')
  }
  await until('a renewal', async () => (await renewals()).some(({ status }) => status === 'Pending'))
  const [renewal] = await renewals()
  const charge = stripe.chargeOf(renewal?.id ?? '')
  if (!renewal || !charge) throw new Error('a renewal that waits for its bank was charged')
  annex.ledger.placed.set(renewal.id, { fate: 'paid', told: null })
  charge.status = 'succeeded'
  await letTimePass(annex, { queue: 'reconcile-charge', data: { intentId: charge.id } })
  await untilOrderIs(annex, renewal, 'Delivered')
  annex.expected.set('renewals', async () => (await renewals()).length === 1)
}

/** So many days go by for one subscription. */
export const daysLater = `
  update subscriptions set start_date = start_date - make_interval(days => $2),
    expiration_date = expiration_date - make_interval(days => $2)
  where id = $1
`
