import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { mailLink } from '#customers/portal'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import type { Seller } from '#test/factories'
import { useServer } from '#test/harness'
import { anOrder, aProduct, aShop, pay, until } from '#test/shop'
import { aVisitor, type Visitor } from '#test/visitor'

const server = useServer()

async function mailsTo(address: string) {
  return server.platform.db.selectFrom('mails').where('toAddress', '=', address).selectAll().execute()
}

/** Asks for a link and takes it out of the mail. */
async function aLink(visitor: Visitor, emailAddress: string): Promise<string> {
  const before = (await mailsTo(emailAddress)).length
  await visitor.post('/portal', { emailAddress })
  await until(async () => (await mailsTo(emailAddress)).length > before)
  const texts = (await mailsTo(emailAddress)).map(({ text }) => text)
  const [link = ''] = /http\S+\/portal\/enter\?token=\S+/.exec(texts.at(-1) ?? '') ?? []
  return new URL(link).searchParams.get('token') ?? ''
}

async function aBuyer(seller: Seller, emailAddress: string) {
  const product = await aProduct(seller, { items: 3 })
  const order = await anOrder(seller, product, { emailAddress, sendReceipt: false })
  await pay(server, order)
  return { product, order }
}

describe('the buyer’s portal', () => {
  test('a link from the mail opens all orders at this store, once', async () => {
    const seller = await aShop(server)
    const { order, product } = await aBuyer(seller, 'ada@example.com')
    const other = await anOrder(seller, product, { emailAddress: 'else@example.com' })
    const visitor = await aVisitor(server, seller)
    const token = await aLink(visitor, 'ada@example.com')

    // Looking at the link, as mail programs do, spends nothing.
    assert.equal((await visitor.get(`/portal/enter?token=${token}`)).status, 200)
    const entered = await visitor.post('/portal/enter', { token })
    assert.deepEqual([entered.status, entered.headers['location']], [303, '/portal'])
    const page = await visitor.get('/portal')
    assert.match(page.text, /ada@example\.com/)
    assert.ok(page.text.includes(`/checkout/${order.id}?key=${order.key}`))
    assert.ok(!page.text.includes(other.id))
    assert.equal(page.headers['cache-control'], 'private, no-store')

    const again = await (await aVisitor(server, seller)).post('/portal/enter', { token })
    assert.equal(again.status, 404)
    await visitor.post('/portal/leave', {})
    assert.ok(!(await visitor.get('/portal')).text.includes(order.id))
  })

  test('ten at once: one of them gets in', async () => {
    const seller = await aShop(server)
    await aBuyer(seller, 'ten@example.com')
    const visitor = await aVisitor(server, seller)
    const token = await aLink(visitor, 'ten@example.com')
    const answers = await Promise.all(Array.from({ length: 10 }, () => visitor.post('/portal/enter', { token })))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [303, ...Array.from({ length: 9 }, () => 404)],
    )
  })

  test('an unknown address gets the same answer and no mail', async () => {
    const seller = await aShop(server)
    await aBuyer(seller, 'known@example.com')
    const visitor = await aVisitor(server, seller)
    const known = await visitor.post('/portal', { emailAddress: 'known@example.com' })
    const unknown = await visitor.post('/portal', { emailAddress: 'other@example.com' })
    assert.equal(known.status, 200)
    assert.equal(unknown.text, known.text.replaceAll('known@example.com', 'other@example.com'))
    await until(async () => (await mailsTo('known@example.com')).length > 0)
    assert.equal((await mailsTo('other@example.com')).length, 0)
    assert.equal((await visitor.post('/portal', { emailAddress: 'nonsense' })).status, 400)
  })

  test('nobody’s mailbox is flooded, and a link is dead after a quarter of an hour', async () => {
    const seller = await aShop(server)
    await aBuyer(seller, 'much@example.com')
    const visitor = await aVisitor(server, seller)
    const token = await aLink(visitor, 'much@example.com')
    for (let time = 0; time < 5; time += 1) await visitor.post('/portal', { emailAddress: 'much@example.com' })
    await until(async () => {
      const { rows } = await sql`select from jobs where queue = 'mail-customer-link'`.execute(server.platform.db)
      return rows.length === 0
    })
    assert.equal((await mailsTo('much@example.com')).length, 3)
    await sql`update customer_links set expires_at = now() where store_id = ${seller.storeId}`.execute(
      server.platform.db,
    )
    assert.equal((await visitor.post('/portal/enter', { token })).status, 404)
  })

  test('a wish for a link is one mail, though its job is done twice', async () => {
    const seller = await aShop(server)
    const emailAddress = 'twice@example.com'
    await aBuyer(seller, emailAddress)
    const { db } = server.platform
    const wish = { storeId: seller.storeId, emailAddress, language: 'en', mailId: newId() }
    for (let time = 0; time < 2; time += 1) await transact(db, (tx) => mailLink(tx, server.platform, wish))
    assert.equal((await mailsTo(emailAddress)).length, 1)
    const { rows } = await sql`select from customer_links where store_id = ${seller.storeId}`.execute(db)
    assert.equal(rows.length, 1)

    await transact(db, (tx) => mailLink(tx, server.platform, { ...wish, mailId: newId() }))
    assert.equal((await mailsTo(emailAddress)).length, 2)
  })

  test('a subscription is shown, and its customer alone ends its renewal', async () => {
    const seller = await aShop(server)
    const { product } = await aBuyer(seller, 'sub@example.com')
    await aBuyer(seller, 'not@example.com')
    const { rows } = await sql<{ id: string }>`
      insert into subscriptions (store_id, id, customer_id, product_id, start_date, expiration_date, period, quantity, gateway)
      select store_id, gen_random_uuid(), id, ${product.id}, now(), now() + interval '9 days', 'P1M', 1, 'test'
      from customers where store_id = ${seller.storeId} and email_address = 'sub@example.com' returning id
    `.execute(server.platform.db)
    const path = `/portal/subscription/${rows[0]?.id}/cancel`
    const signIn = async (emailAddress: string) => {
      const visitor = await aVisitor(server, seller)
      await visitor.post('/portal/enter', { token: await aLink(visitor, emailAddress) })
      return visitor
    }
    const other = await signIn('not@example.com')
    assert.equal((await other.post(path, {})).status, 404)
    const owner = await signIn('sub@example.com')
    assert.match((await owner.get('/portal')).text, /Renews on/)
    assert.equal((await owner.post(path, {})).status, 303)
    assert.match((await owner.get('/portal')).text, /Ends on/)
  })

  test('a link of one store opens no other, and other sites send nothing', async () => {
    const [seller, other] = [await aShop(server), await aShop(server)]
    await aBuyer(seller, 'two@example.com')
    await aBuyer(other, 'two@example.com')
    const visitor = await aVisitor(server, seller)
    const token = await aLink(visitor, 'two@example.com')
    assert.equal((await (await aVisitor(server, other)).post('/portal/enter', { token })).status, 404)
    const foreign = { origin: 'https://evil.example' }
    assert.equal((await visitor.post('/portal/enter', { token }, foreign)).status, 403)
    assert.equal((await visitor.post('/portal/enter', { token })).status, 303)
  })
})
