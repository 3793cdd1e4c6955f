import { getOrder, listOrderHistory } from '@keystall/contract/endpoints/orders'
import { assert, describe, test } from 'vitest'
import type { DueRefund, PaymentMethod, RefundAnswer } from '#payments/method'
import { transact } from '#platform/db/transaction'
import type { Seller } from '#test/factories'
import { useServer } from '#test/harness'
import { anOrder, aProduct, aShop, pay } from '#test/shop'
import { lockOrder } from './change.ts'
import { payBack, receiveRefund } from './pay-back.ts'
import { refundOrder } from './refund.ts'

const server = useServer({ hasJobs: false })

/** A gateway in memory that takes each refund once, under its id. */
function aGateway(answer: (refund: DueRefund) => RefundAnswer = ({ id }) => ({ externalId: `re_${id}` })) {
  const taken = new Map<string, DueRefund>()
  let calls = 0
  let isAway = false
  const method: PaymentMethod = {
    id: 'test',
    words: '',
    expiresAfterMinutes: 60,
    settings: null,
    isOn: () => true,
    begin: () => Promise.reject(new Error('nothing begins here')),
    refund: async (_platform, _store, refund) => {
      calls += 1
      taken.set(refund.id, refund)
      // The money moved; only the answer is lost.
      if (isAway) throw new Error('the connection broke')
      return answer(refund)
    },
  }
  return {
    find: () => method,
    taken,
    calls: () => calls,
    setAway: (away: boolean) => {
      isAway = away
    },
  }
}

async function aPaidOrder(payments: readonly ('paid' | 'partial')[] = ['paid']) {
  const seller = await aShop(server)
  const order = await anOrder(seller, await aProduct(seller, { items: 3 }))
  for (const outcome of payments) await pay(server, order, outcome)
  return { seller, orderId: order.id }
}

type Placed = { seller: Seller; orderId: string }

async function request(
  { seller, orderId }: Placed,
  gateway: ReturnType<typeof aGateway>,
  amount: number | null = null,
) {
  const { db } = server.platform
  const store = await db.selectFrom('stores').selectAll().where('id', '=', seller.storeId).executeTakeFirstOrThrow()
  const order = await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
  const form = { amount, reason: 'sorry', returnItems: false, asCredit: false }
  await transact(db, (tx) =>
    refundOrder({ tx, platform: server.platform, store, actor: 'ann' }, order, form, gateway.find),
  )
  return { store, order }
}

const waitingOf = ({ orderId }: Placed) =>
  server.platform.db
    .selectFrom('refunds')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('status', '=', 'waiting')
    .execute()

async function work(placed: Placed, gateway: ReturnType<typeof aGateway>, isLast = false) {
  for (const { storeId, id: refundId } of await waitingOf(placed))
    await payBack(server.platform.db, { storeId, refundId }, { platform: server.platform, isLast }, gateway.find)
}

async function shown({ seller, orderId }: Placed) {
  const { reply } = await seller.call(getOrder, { path: { orderId } })
  const history = (await seller.call(listOrderHistory, { path: { orderId } })).data
  return { status: reply.status, amountPaid: reply.amountPaid, kinds: history.map(({ kind }) => kind) }
}

describe('a gateway that pays back', () => {
  test('the order is refunded once the gateway has done it, and nothing is paid back twice meanwhile', async () => {
    const placed = await aPaidOrder()
    const gateway = aGateway()
    await request(placed, gateway)
    assert.deepInclude(await shown(placed), { status: 'Delivered', amountPaid: 10 })
    await request(placed, gateway).then(
      () => assert.fail('it is all kept apart'),
      (error: unknown) => assert.propertyVal(error, 'message', 'There is nothing to pay back'),
    )
    await work(placed, gateway)
    const after = await shown(placed)
    assert.deepInclude(after, { status: 'Refunded', amountPaid: 0 })
    assert.deepEqual(after.kinds.slice(-2), ['refund-requested', 'refunded'])
  })

  test('a lost answer is asked for again under the same id', async () => {
    const placed = await aPaidOrder()
    const gateway = aGateway()
    await request(placed, gateway, 4)
    gateway.setAway(true)
    for (let round = 0; round < 3; round += 1) await work(placed, gateway).catch(() => undefined)
    gateway.setAway(false)
    await Promise.all([work(placed, gateway), work(placed, gateway)])
    assert.isAtLeast(gateway.calls(), 4)
    assert.equal(gateway.taken.size, 1)
    assert.deepInclude(await shown(placed), { status: 'Delivered', amountPaid: 6 })
  })

  test('a refusal is shown, the seller is told, and the money can be paid back another way', async () => {
    const placed = await aPaidOrder()
    const { store } = await request(
      placed,
      aGateway(() => ({ refused: 'the card is closed' })),
    )
    await work(
      placed,
      aGateway(() => ({ refused: 'the card is closed' })),
    )
    const after = await shown(placed)
    assert.deepInclude(after, { status: 'Delivered', amountPaid: 10 })
    assert.equal(after.kinds.at(-1), 'refund-failed')
    const mails = await server.platform.db.selectFrom('mails').select('subject').execute()
    assert.ok(mails.some(({ subject }) => subject === `A refund could not be made: ${store.name}`))
    const other = aGateway()
    await request(placed, other)
    await work(placed, other)
    assert.equal((await shown(placed)).status, 'Refunded')
  })

  test('after the last try it is refused, and says where to look', async () => {
    const placed = await aPaidOrder()
    const gateway = aGateway()
    gateway.setAway(true)
    await request(placed, gateway)
    await work(placed, gateway, true)
    assert.equal((await shown(placed)).kinds.at(-1), 'refund-failed')
  })

  test('what came twice goes back the way it came, the newest first', async () => {
    const placed = await aPaidOrder(['paid', 'paid'])
    const gateway = aGateway()
    await request(placed, gateway, 15)
    await work(placed, gateway)
    const parts = [...gateway.taken.values()]
    assert.deepEqual(
      parts.map(({ amountMinor, payment }) => [amountMinor, payment.isSurplus]),
      [
        [1000, true],
        [500, false],
      ],
    )
    assert.deepInclude(await shown(placed), { status: 'Delivered', amountPaid: 5 })
  })

  test('a notice of the gateway counts once, whether it was asked for here or there', async () => {
    const placed = await aPaidOrder()
    const gateway = aGateway(({ id }) => ({ externalId: `re_${id}` }))
    const { store } = await request(placed, gateway, 4)
    const [waiting] = await waitingOf(placed)
    assert.ok(waiting)
    const notice = (told: { externalId: string; amountMinor: number; refundId: string | null }) =>
      transact(server.platform.db, async (tx) => {
        const order = await lockOrder(tx, { storeId: store.id, orderId: placed.orderId })
        const change = { tx, platform: server.platform, store, actor: null }
        return receiveRefund(change, order, { gateway: 'test', ...told })
      })
    const asked = { externalId: `re_${waiting.id}`, amountMinor: 400, refundId: waiting.id }
    await notice(asked)
    await notice(asked)
    await payBack(
      server.platform.db,
      { storeId: store.id, refundId: waiting.id },
      { platform: server.platform, isLast: false },
      gateway.find,
    )
    assert.deepInclude(await shown(placed), { status: 'Delivered', amountPaid: 6 })
    const elsewhere = { externalId: 're_other', amountMinor: 600, refundId: null }
    await notice(elsewhere)
    await notice(elsewhere)
    assert.deepInclude(await shown(placed), { status: 'Refunded', amountPaid: 0 })
  })
})
