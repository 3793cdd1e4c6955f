import assert from 'node:assert/strict'
import { payOrder, viewOrder } from '@keystall/contract/endpoints/checkout'
import { savePaymentSettings } from '@keystall/contract/endpoints/payment-methods'
import {
  attachProof,
  claimPayment,
  confirmPayment,
  downloadProof,
  getPaymentByHand,
  rejectPayment,
} from '@keystall/contract/endpoints/payments'
import { getUser } from '@keystall/contract/endpoints/user'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { announce } from '#platform/jobs/wake'
import { sql } from 'kysely'
import type { Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { multipart, multipartType } from '#test/multipart'
import { lastMailTo } from '#test/people'
import { aProduct, aShop, anOrder, until, view } from '#test/shop'

const server = useServer()

async function aTransferShop(): Promise<Seller> {
  const seller = await aShop(server)
  const settings = { email: 'seller@example.com', transferEmail: 'pay@example.com', words: 'Thank you!' }
  await seller.call(savePaymentSettings, { path: { method: 'transfer' }, body: { settings } })
  return seller
}

type Order = { id: string; key: string }

async function anOpenOrder(seller: Seller, gateway = 'transfer') {
  return anOrder(seller, await aProduct(seller, { items: 2 }), { gateway })
}

function claim({ id, key }: Order, note: string | null = null) {
  return call(server, claimPayment, { path: { orderId: id }, body: { note } }, { orderKey: key })
}

function attach({ id, key }: Order, bytes: Buffer, fileName = 'proof.png') {
  const payload = multipart([{ name: 'file', content: bytes, fileName }])
  const headers = { 'content-type': multipartType }
  return server.app.api.inject({ method: attachProof.method, url: `/orders/${id}/proof?key=${key}`, headers, payload })
}

describe('paying by hand', () => {
  test('the buyer is told whom to pay and what to write, and the same again', async () => {
    const seller = await aTransferShop()
    const order = await anOpenOrder(seller)
    const steps = await Promise.all(
      [1, 2].map(() => call(server, payOrder, { path: { orderId: order.id } }, { orderKey: order.key })),
    )
    const [first, second] = steps.map(({ data }) => data)
    assert.deepEqual(first, second)
    assert.deepEqual([first?.payee, first?.words, first?.isAsFriends], ['pay@example.com', 'Thank you!', false])
    assert.match(first?.code ?? '', /^[2-9A-Z]{7}$/)
    assert.match(first?.instructions ?? '', /Send 10\.00 USD to pay@example\.com and write .{7} in the note/)
  })

  test('a wallet needs a tag or an address, and both show in GET /user', async () => {
    const seller = await aTransferShop()
    const save = (settings: Record<string, unknown>) =>
      seller.call(savePaymentSettings, { path: { method: 'wallet' }, body: { settings } })
    assert.match((await save({})).refused?.fields?.['settings.tag'] ?? '', /is needed/)
    assert.equal((await save({ tag: '$seller', isAcceptingRequests: true })).status, 200)
    const { data } = await seller.call(getUser)
    assert.deepEqual(
      [data.walletOptions?.tag, data.walletOptions?.isAcceptingRequests, data.isProviderBEnabled],
      ['$seller', true, true],
    )
    assert.deepEqual(
      [data.accountTransferOptions?.email, data.accountTransferOptions?.transferEmail, data.isProviderAEnabled],
      ['seller@example.com', 'pay@example.com', true],
    )
    const order = await anOpenOrder(seller, 'wallet')
    const step = await call(server, payOrder, { path: { orderId: order.id } }, { orderKey: order.key })
    assert.equal(step.data.payee, '$seller')
  })

  test('"I paid" tells the seller, who confirms, and the order is delivered once', async () => {
    const seller = await aTransferShop()
    const order = await anOpenOrder(seller)
    const claimed = await claim(order, 'from Jane')
    assert.equal(claimed.data.status, 'Pending')
    assert.equal((await claim(order)).refused?.status, 409)
    assert.match((await lastMailTo(server, seller.user.emailAddress)).text, /from Jane/)

    const confirm = () => seller.call(confirmPayment, { path: { orderId: order.id }, body: {} })
    const answers = await Promise.all([confirm(), confirm(), confirm()])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409],
    )
    const { data } = await view(server, order)
    assert.deepEqual([data.status, data.amountPaid], ['Delivered', 10])
    const payments = await seller.call(getPaymentByHand, { path: { orderId: order.id } })
    assert.deepEqual(
      [payments.data.due, payments.data.claims[0]?.status, payments.data.claims[0]?.decidedBy],
      [0, 'confirmed', seller.user.userName],
    )
  })

  test('less than is due leaves a rest, and a rejected claim can be made again', async () => {
    const seller = await aTransferShop()
    const order = await anOpenOrder(seller)
    await claim(order)
    const rejected = await seller.call(rejectPayment, {
      path: { orderId: order.id },
      body: { reason: 'Nothing came with this code' },
    })
    assert.equal(rejected.data.status, 'Incomplete')
    assert.match((await lastMailTo(server, rejected.data.customer.emailAddress)).text, /Nothing came with this code/)
    await claim(order)
    const part = await seller.call(confirmPayment, { path: { orderId: order.id }, body: { amount: 4 } })
    assert.deepEqual([part.data.status, part.data.amountPaid], ['PartiallyPaid', 4])
    await seller.call(confirmPayment, { path: { orderId: order.id }, body: {} })
    const { data } = await view(server, order)
    assert.deepEqual([data.status, data.amountPaid], ['Delivered', 10])
  })

  test('a claim that nobody looks at ends by itself', async () => {
    const seller = await aTransferShop()
    const order = await anOpenOrder(seller)
    await claim(order)
    await sql`update jobs set run_at = now() where queue = 'end-claim'`.execute(server.platform.db)
    announce()
    await until(async () => (await view(server, order)).data.status === 'Incomplete')
  })

  test('orders of other methods confirm themselves', async () => {
    const seller = await aTransferShop()
    const order = await anOpenOrder(seller, 'test')
    assert.equal((await claim(order)).refused?.status, 409)
    assert.equal((await seller.call(confirmPayment, { path: { orderId: order.id }, body: {} })).refused?.status, 409)
  })
})

describe('POST /orders/{orderId}/proof', () => {
  test('a picture is written anew and a PDF kept, both to be saved and never shown as a page', async () => {
    const seller = await aTransferShop()
    const order = await anOpenOrder(seller)
    const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .jpeg()
      .toBuffer()
    const pdf = Buffer.from('%PDF-1.4\n%%EOF')
    assert.equal((await attach(order, picture, 'me/../holiday.exe')).statusCode, 200)
    assert.equal((await attach(order, pdf, 'receipt.html')).statusCode, 200)

    const { data } = await seller.call(getPaymentByHand, { path: { orderId: order.id } })
    assert.deepEqual(
      data.proofs.map(({ friendlyName }) => friendlyName),
      ['holiday.jpg', 'receipt.pdf'],
    )
    const [proof] = data.proofs
    const sent = await seller.call(downloadProof, { path: { orderId: order.id, proofId: proof?.id ?? '' } })
    assert.match(String(sent.headers['content-disposition']), /^attachment/)
    assert.equal(sent.headers['x-content-type-options'], 'nosniff')
    assert.doesNotMatch(String(sent.body), /secret place/)
    const other = await anOpenOrder(seller)
    const foreign = await seller.call(downloadProof, { path: { orderId: other.id, proofId: proof?.id ?? '' } })
    assert.equal(foreign.refused?.status, 404)
  })

  test('anything else is refused, a sixth too, and without the key it is 404', async () => {
    const seller = await aTransferShop()
    const order = await anOpenOrder(seller)
    for (const bad of [Buffer.from('<html>'), Buffer.from(''), Buffer.from('MZ\x90\x00')]) {
      assert.equal((await attach(order, bad)).statusCode, 400)
    }
    const pdf = Buffer.from('%PDF-1.4')
    for (let count = 0; count < 5; count += 1) assert.equal((await attach(order, pdf)).statusCode, 200)
    assert.equal((await attach(order, pdf)).statusCode, 409)
    assert.equal((await attach({ ...order, key: 'x' }, pdf)).statusCode, 404)
    const shown = await call(server, viewOrder, { path: { orderId: order.id } }, { orderKey: order.key })
    assert.equal(shown.data.status, 'Incomplete')
  })
})
