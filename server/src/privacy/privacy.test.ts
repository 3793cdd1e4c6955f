import { listStoreActs } from '@keystall/contract/endpoints/audit-log'
import { revealOrder } from '@keystall/contract/endpoints/checkout'
import { eraseCustomer, getCustomer } from '@keystall/contract/endpoints/customers'
import { getOrder, searchOrders } from '@keystall/contract/endpoints/orders'
import * as contract from '@keystall/contract/endpoints/privacy'
import { reportStore } from '@keystall/contract/endpoints/reports'
import { closeTicket, getTicket, openTicket, replyToTicket, searchTickets } from '@keystall/contract/endpoints/tickets'
import { sql } from 'kysely'
import { assert, describe, test } from 'vitest'
import { tableNames } from '#operator/tables'
import { newId } from '#platform/db/ids'
import { aSeller, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { anOrder, aProduct, aShop, checkOutAt, orderForm, pay } from '#test/shop'
import { forgetPeople } from './retention.ts'

const server = useServer({ hasJobs: false })
const agent = 'PrivateBrowser/1.0'
const secrets = ['private words', 'private subject', 'private answer', agent, '203.0.113.77']

/** A person who bought, looked, asked and complained. */
async function aPerson(seller: Seller) {
  const emailAddress = `person-${newId().slice(-8)}@private.example`
  const product = await aProduct(seller, { items: 3, customValueKeys: ['Name'] })
  const customValues = [{ key: 'Name', value: 'private answer' }]
  const form = orderForm(product, { emailAddress, customValues })
  const { reply } = await checkOutAt(server, seller, form, { 'user-agent': agent })
  const [created] = reply.data
  if (!created) throw new Error('an order is answered with itself')
  const { order } = created
  await sql`update orders set ip_address = '203.0.113.77' where store_id = ${seller.storeId} and id = ${order.id}`.execute(
    server.platform.db,
  )
  await sql`update customers set ip_address = '203.0.113.77', notes = 'private words'
    where store_id = ${seller.storeId} and id = ${order.customer.id}`.execute(server.platform.db)
  const withKey = { orderKey: order.key }
  const path = { orderId: order.id }
  const finish = async () => {
    await pay(server, order)
    await call(server, revealOrder, { path, body: {}, headers: { 'user-agent': agent } }, withKey)
    const body = { subject: 'private subject', message: 'private words' }
    const ticket = await call(server, openTicket, { path, body }, withKey)
    await seller.call(replyToTicket, { path: { ticketId: ticket.data.id }, body: { message: 'Have you tried it?' } })
    await call(server, reportStore, {
      path: { storeId: seller.storeId },
      body: { type: 'other', reason: 'It took a whole week', emailAddress },
    })
    return ticket.data.id
  }
  return { emailAddress, order, product, finish }
}

/** Everything that the store's tables hold, but the mails, which go after 30 days. */
async function textOfStore(storeId: string): Promise<string> {
  const { db } = server.platform
  const texts: string[] = []
  for (const table of await tableNames(db)) {
    const { rows } = await sql<{ text: string }>`
      select to_jsonb(t)::text as text from ${sql.table(table)} t where to_jsonb(t)->>'store_id' = ${storeId}
    `.execute(db)
    texts.push(...rows.map(({ text }) => `${table} ${text}`))
  }
  return texts.join('\n')
}

describe('DELETE /stores/{storeId}/customers/{customerId}', () => {
  test('orders keep their amounts and lose the person, in every table', async () => {
    const seller = await aShop(server)
    const { emailAddress, order, product, finish } = await aPerson(seller)
    const ticketId = await finish()
    const other = await aPerson(seller)
    await other.finish()
    const path = { customerId: order.customer.id }
    const before = await seller.call(getOrder, { path: { orderId: order.id } })
    const full = await textOfStore(seller.storeId)
    for (const secret of [emailAddress, ...secrets]) assert.include(full, secret)

    const erased = await seller.call(eraseCustomer, { path, body: { emailAddress: emailAddress.toUpperCase() } })
    assert.equal(erased.status, 200)
    const rest = await textOfStore(seller.storeId)
    assert.notInclude(rest.toLowerCase(), emailAddress)
    // What is left of the words and addresses is the other person's.
    const { reply: after } = await seller.call(getOrder, { path: { orderId: order.id } })
    assert.deepEqual(
      [after.cost, after.amountPaid, after.status, after.deliveredItem, after.products[0]?.product.id],
      [before.reply.cost, before.reply.amountPaid, 'Delivered', before.reply.deliveredItem, product.id],
    )
    assert.deepInclude(after, { ipAddress: null, userAgent: null, customValues: [] })
    const customer = await seller.call(getCustomer, { path })
    assert.deepInclude(customer.data, {
      emailAddress: `${order.customer.id}@erased.invalid`,
      ipAddress: null,
      notes: null,
      orders: 1,
    })
    const ticket = await seller.call(getTicket, { path: { ticketId } })
    assert.deepEqual(
      [ticket.data.subject, ...ticket.data.entries.map(({ message }) => message)],
      ['[erased]', '[erased]', 'Have you tried it?'],
    )
    const found = await seller.call(searchTickets, { path: { page: 1, query: emailAddress } })
    assert.deepEqual(found.reply.data, [])
    const search = await seller.call(searchOrders, { path: { page: 1, query: emailAddress } })
    assert.deepEqual(search.reply.data, [])
    const { reply: log } = await seller.call(listStoreActs, { path: { page: 1 } })
    assert.deepInclude(log.data[0], { act: 'eraseCustomer', subjectId: order.customer.id, subjectName: null })

    const twice = await seller.call(eraseCustomer, { path, body: { emailAddress } })
    assert.equal(twice.status, 409)
    const second = await seller.call(eraseCustomer, {
      path: { customerId: other.order.customer.id },
      body: { emailAddress: other.emailAddress },
    })
    assert.equal(second.status, 200)
    const nothing = await textOfStore(seller.storeId)
    for (const secret of secrets) assert.notInclude(nothing, secret)
  })

  test('needs the right address, waits for orders under way, and knows only its own customers', async () => {
    const [seller, stranger] = [await aShop(server), await aSeller(server)]
    const { emailAddress, order } = await aPerson(seller)
    const path = { customerId: order.customer.id }
    const wrong = await seller.call(eraseCustomer, { path, body: { emailAddress: 'other@example.com' } })
    const open = await seller.call(eraseCustomer, { path, body: { emailAddress } })
    const foreign = await stranger.call(eraseCustomer, { path, body: { emailAddress } })
    assert.deepEqual(wrong.refused?.fields, { emailAddress: 'is not the address of this customer' })
    assert.deepEqual([open.status, foreign.status], [409, 404])
  })

  // Seen to fail without the lock on the customer in the order's statement: orders of somebody who was erased.
  test('against orders of the same person: they are another customer’s, or the erasing waits', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 60, cost: 0 })
    for (let round = 0; round < 6; round += 1) {
      const emailAddress = `racing${round}@private.example`
      const first = await anOrder(seller, product, { emailAddress, gateway: 'free' })
      const buying = () => anOrder(seller, product, { emailAddress, gateway: 'free' })
      const [erased, ...orders] = await Promise.all([
        seller.call(eraseCustomer, { path: { customerId: first.customer.id }, body: { emailAddress } }),
        ...Array.from({ length: 6 }, buying),
      ])
      assert.equal(erased.status, 200)
      const { rows } = await sql<{ address: string; told: string }>`
        select customer.email_address as address, string_agg(event.body, ' ') as told
        from orders
        join customers customer on customer.store_id = orders.store_id and customer.id = orders.customer_id
        join events event on event.store_id = orders.store_id and event.subject_id = orders.id
        where orders.store_id = ${seller.storeId} and orders.id = any(${orders.map(({ id }) => id)}::uuid[])
        group by orders.id, customer.email_address
      `.execute(server.platform.db)
      assert.lengthOf(rows, orders.length)
      for (const { address, told } of rows) assert.equal(told.includes(emailAddress), address === emailAddress)
    }
  })

  test('ends what would be renewed', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1, type: 1, subscriptionPeriod: 'P1M' })
    const order = await anOrder(seller, product)
    await pay(server, order)
    const { emailAddress, id: customerId } = order.customer
    const live = () =>
      server.platform.db
        .selectFrom('subscriptions')
        .where('storeId', '=', seller.storeId)
        .where('cancelledAt', 'is', null)
        .select('id')
        .execute()
    assert.lengthOf(await live(), 1)
    await seller.call(eraseCustomer, { path: { customerId }, body: { emailAddress } })
    assert.lengthOf(await live(), 0)
  })
})

describe('PUT /stores/{storeId}/privacy', () => {
  test('nothing is forgotten unless the store says so; numbers out of range are refused', async () => {
    const seller = await aSeller(server)
    const before = await seller.call(contract.getRetention)
    const wrong = await seller.call(contract.updateRetention, { body: { keepAddressesDays: 0, keepTicketsDays: 3651 } })
    const set = await seller.call(contract.updateRetention, { body: { keepAddressesDays: 30 } })
    assert.deepEqual(before.data, { keepAddressesDays: null, keepTicketsDays: null })
    assert.sameMembers(Object.keys(wrong.refused?.fields ?? {}), ['keepAddressesDays', 'keepTicketsDays'])
    assert.deepEqual(set.data, { keepAddressesDays: 30, keepTicketsDays: null })
  })

  test('what is older is forgotten, what is younger stays', async () => {
    const [seller, keeper] = [await aShop(server), await aShop(server)]
    const { db } = server.platform
    const age = async (shop: Seller, orderId: string, days: number) => {
      const date = sql`now() - make_interval(days => ${days})`
      const own = sql`store_id = ${shop.storeId}`
      await sql`update orders set date_created = ${date} where ${own} and id = ${orderId}`.execute(db)
      await sql`update reveals set date_created = ${date} where ${own} and order_id = ${orderId}`.execute(db)
      await sql`update tickets set closed_at = ${date} where ${own} and order_id = ${orderId}`.execute(db)
    }
    const people = []
    for (const [shop, days] of [
      [seller, 40],
      [seller, 20],
      [keeper, 40],
    ] as const) {
      const person = await aPerson(shop)
      const ticketId = await person.finish()
      await shop.call(closeTicket, { path: { ticketId } })
      await age(shop, person.order.id, days)
      people.push({ shop, ticketId, orderId: person.order.id })
    }
    await seller.call(contract.updateRetention, { body: { keepAddressesDays: 30, keepTicketsDays: 30 } })
    await forgetPeople(db)
    await forgetPeople(db)

    const kept = await Promise.all(
      people.map(async ({ shop, ticketId, orderId }) => {
        const { reply: order } = await shop.call(getOrder, { path: { orderId } })
        const { data: ticket } = await shop.call(getTicket, { path: { ticketId } })
        const reveals = await db
          .selectFrom('reveals')
          .where('storeId', '=', shop.storeId)
          .where('orderId', '=', orderId)
          .select('userAgent')
          .execute()
        return [order.ipAddress, order.userAgent, ticket.entries.length, reveals[0]?.userAgent]
      }),
    )
    assert.deepEqual(kept, [
      [null, null, 0, ''],
      ['203.0.113.77', agent, 2, agent],
      ['203.0.113.77', agent, 2, agent],
    ])
    const { reply } = await seller.call(listStoreActs, { path: { page: 1 } })
    assert.deepEqual(
      reply.data.slice(0, 2).map(({ act, role, userId }) => [act, role, userId]),
      [
        ['forgetTickets', 'platform', null],
        ['forgetAddresses', 'platform', null],
      ],
    )
  })
})
