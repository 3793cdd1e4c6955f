import * as contract from '@keystall/contract/endpoints/reports'
import { getUser } from '@keystall/contract/endpoints/user'
import { assert, beforeAll, describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aKey, aSeller, aUser, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { signedIn } from '#test/people'
import { anOrder, aProduct, aShop } from '#test/shop'
import { aVisitor } from '#test/visitor'

const server = useServer({ hasJobs: false })
const limited = useServer({ hasJobs: false, env: { RATE_LIMITS: 'on' } })
let cookie: string

beforeAll(async () => {
  cookie = await signedIn(server, await aUser(server, { isStaff: true }))
})

const reason = 'Paid a week ago, got nothing'
const report = (seller: Seller, form: Record<string, unknown> = {}, at = server) =>
  call(at, contract.reportStore, { path: { storeId: seller.storeId }, body: { type: 'fraud', reason, ...form } })
const open = () => call(server, contract.listReportsForStaff, { query: { count: 100 } }, { cookie })
const ofStore = async (seller: Seller) => (await open()).reply.data.filter(({ storeId }) => storeId === seller.storeId)

describe('POST /stores/{storeId}/reports', () => {
  test('what the form does not name is left out, be it a column of the table or of none', async () => {
    const seller = await aShop(server)
    const other = await aShop(server)
    const more = { storeId: other.storeId, resolvedAt: '2026-01-01T00:00:00.000Z', note: 'closed', colour: 'red' }
    const { status } = await report(seller, more)
    assert.equal(status, 200)
    assert.deepEqual(await ofStore(other), [])
    assert.deepEqual(
      (await ofStore(seller)).map(({ dateResolved }) => dateResolved),
      [null],
    )
  })

  test('the staff see all of it, the seller what the contract names and nothing of who reported', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const order = await anOrder(seller, product)
    await report(seller, { productId: product.id, emailAddress: 'witness@example.com' })
    await report(seller, { type: 'other', orderId: order.id, orderKey: order.key })

    assert.deepEqual(
      (await ofStore(seller)).map(({ type, productName, orderId, emailAddress, dateResolved }) => ({
        type,
        productName,
        orderId,
        emailAddress,
        dateResolved,
      })),
      [
        { type: 'other', productName: null, orderId: order.id, emailAddress: null, dateResolved: null },
        {
          type: 'fraud',
          productName: product.name,
          orderId: null,
          emailAddress: 'witness@example.com',
          dateResolved: null,
        },
      ],
    )
    const { data } = await seller.call(getUser)
    assert.deepEqual(
      data.fraudReports.map(({ id: _, dateCreated: __, ...rest }) => rest),
      [
        { type: 'other', reporter: 'customer', gateway: 'test' },
        { type: 'fraud', reporter: 'visitor', gateway: '' },
      ].map((own) => ({ ...own, reason, email: seller.user.emailAddress, resolved: false, userId: seller.user.id })),
    )
    const elsewhere = await aKey(server, seller.user, { storeIds: [(await aSeller(server)).storeId] })
    const other = await call(server, getUser, {}, { apiKey: elsewhere })
    assert.deepEqual(other.data.fraudReports, [])
  })

  test('bad fields are named, and what is not there is not found', async () => {
    const [seller, other] = [await aShop(server), await aShop(server)]
    const product = await aProduct(other, { items: 1 })
    const order = await anOrder(other, product)
    const wrong = await report(seller, { type: 'rude', reason: 'short', emailAddress: 'x' })
    assert.sameMembers(Object.keys(wrong.refused?.fields ?? {}), ['type', 'reason', 'emailAddress'])
    const keyless = await report(seller, { orderId: order.id })
    assert.deepEqual(keyless.refused?.fields, { orderKey: 'is needed with orderId' })
    for (const form of [
      { productId: product.id },
      { orderId: order.id, orderKey: order.key },
      { orderId: newId(), orderKey: 'x' },
    ]) {
      assert.equal((await report(seller, form)).status, 404)
    }
    assert.equal((await report({ ...seller, storeId: newId() })).status, 404)
  })

  test('twenty at once from one place: five are taken', async () => {
    const seller = await aSeller(limited)
    const answers = await Promise.all(Array.from({ length: 20 }, () => report(seller, {}, limited)))
    assert.lengthOf(
      answers.filter(({ status }) => status === 200),
      5,
    )
    assert.lengthOf(
      answers.filter(({ status }) => status === 429),
      15,
    )
  })
})

describe('PUT /staff/reports/{reportId}', () => {
  test('two close it at once: one does, and the seller sees it settled', async () => {
    const seller = await aSeller(server)
    await report(seller)
    const [waiting] = await ofStore(seller)
    const resolve = (note: string) =>
      call(server, contract.resolveReport, { path: { reportId: waiting?.id ?? '' }, body: { note } }, { cookie })
    const answers = await Promise.all([resolve('one'), resolve('two'), resolve('three')])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409],
    )
    assert.deepEqual(await ofStore(seller), [])
    const closed = await call(server, contract.listReportsForStaff, { query: { isResolved: true } }, { cookie })
    assert.equal(closed.reply.data[0]?.note, answers.find(({ status }) => status === 200)?.data.note)
    assert.equal((await seller.call(getUser)).data.fraudReports[0]?.resolved, true)
    const nobody = await call(server, contract.resolveReport, { path: { reportId: newId() }, body: {} }, { cookie })
    assert.equal(nobody.status, 404)
  })
})

describe('the page “Report this store”', () => {
  test('leads from every page to the staff, without script', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    assert.include((await visitor.get('/')).text, 'href="/report"')
    assert.include((await visitor.get('/report?lang=de')).text, 'Diesen Shop melden')
    const sent = await visitor.post(
      '/report',
      { type: 'stolen', reason, emailAddress: '' },
      { 'accept-language': 'en' },
    )
    assert.equal(sent.status, 200)
    const [taken] = await ofStore(seller)
    assert.deepInclude(taken, { type: 'stolen', reason, emailAddress: null, productName: null, orderId: null })
  })

  test('what is wrong stands beside its field, and nothing typed is lost', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    const wrong = await visitor.post('/report', { type: 'rude', reason: 'short', emailAddress: 'nowhere' })
    assert.equal(wrong.status, 400)
    for (const said of [
      'What it is about must be chosen',
      'What happened must have at least 10 characters',
      'E-mail must be an e-mail address',
      'short</textarea>',
      'value="nowhere"',
    ]) {
      assert.include(wrong.text, said)
    }
    const foreign = await visitor.post('/report', { type: 'fraud', reason }, { origin: 'https://evil.example' })
    assert.equal(foreign.status, 403)
    assert.deepEqual(await ofStore(seller), [])
  })

  test('takes five a day from one place, whichever way they come', async () => {
    const seller = await aShop(limited)
    const visitor = await aVisitor(limited, seller)
    const statuses: number[] = []
    for (let n = 0; n < 3; n += 1) statuses.push((await report(seller, {}, limited)).status)
    for (let n = 0; n < 3; n += 1) statuses.push((await visitor.post('/report', { type: 'fraud', reason })).status)
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  })
})
