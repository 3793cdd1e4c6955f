import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/tickets'
import { viewStoreById } from '@keystall/contract/endpoints/stores'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aKey, aSeller, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { anOrder, aProduct, aShop, view } from '#test/shop'

const server = useServer()

type Order = { id: string; key: string }

async function aPurchase(given: Record<string, unknown> = {}, seller?: Seller) {
  const shop = seller ?? (await aShop(server))
  const product = await aProduct(shop, { items: 3 })
  const order = await anOrder(shop, product, given)
  return { seller: shop, product, order }
}

function open({ id, key }: Order, body: unknown = { subject: 'No key', message: 'I got no key.' }, headers = {}) {
  return call(server, contract.openTicket, { path: { orderId: id }, body, headers }, { orderKey: key })
}

function answer({ id, key }: Order, ticketId: string, body: unknown = { message: 'Still nothing.' }) {
  return call(server, contract.replyToOwnTicket, { path: { orderId: id, ticketId }, body }, { orderKey: key })
}

async function aTicket(body?: unknown) {
  const purchase = await aPurchase()
  const ticket = await open(purchase.order, body)
  return { ...purchase, ticket: ticket.data }
}

function eventsOf(seller: Seller) {
  return server.platform.db
    .selectFrom('events')
    .where('storeId', '=', seller.storeId)
    .selectAll()
    .orderBy('id')
    .execute()
}

function mailsTo(address: string) {
  return server.platform.db.selectFrom('mails').where('toAddress', '=', address).selectAll().orderBy('id').execute()
}

describe('GET /stores/{storeId}/tickets/{page}', () => {
  test('shows the tickets, newest first, by page', async () => {
    const { seller, order } = await aPurchase()
    for (const subject of ['first', 'second', 'third']) await open(order, { subject, message: 'Hello' })

    const page = await seller.call(contract.listTickets, { path: { page: 1 }, query: { count: 2 } })
    const next = await seller.call(contract.listTickets, { path: { page: 2 }, query: { count: 2 } })
    const beyond = await seller.call(contract.listTickets, { path: { page: 3 }, query: { count: 2 } })

    assert.deepEqual([page.reply.pages, page.reply.data.map(({ subject }) => subject)], [2, ['third', 'second']])
    assert.deepEqual(
      next.reply.data.map(({ subject }) => subject),
      ['first'],
    )
    assert.deepEqual(beyond.reply, { success: true, pages: 2, data: [] })
  })

  test('a store without tickets has no pages', async () => {
    const seller = await aSeller(server)
    const page = await seller.call(contract.listTickets, { path: { page: 1 } })
    assert.deepEqual(page.reply, { success: true, pages: 0, data: [] })
  })

  test('can be limited to one status', async () => {
    const { seller, order } = await aPurchase()
    const closed = await open(order)
    await open(order, { subject: 'Another', message: 'Hello' })
    await seller.call(contract.closeTicket, { path: { ticketId: closed.data.id } })

    const page = await seller.call(contract.listTickets, { path: { page: 1 }, query: { status: 2 } })
    const wrong = await seller.call(contract.listTickets, { path: { page: 1 }, query: { status: 5 } })

    assert.deepEqual(
      page.reply.data.map(({ id }) => id),
      [closed.data.id],
    )
    assert.equal(wrong.refused?.status, 400)
  })

  test('page 0 and a count out of range are refused', async () => {
    const seller = await aSeller(server)
    for (const [page, count] of [
      [0, 15],
      [-1, 15],
      [1, 0],
      [1, 101],
    ]) {
      const refused = await seller.call(contract.listTickets, { path: { page: page ?? 1 }, query: { count } })
      assert.equal(refused.refused?.status, 400, `${page} ${count}`)
    }
  })
})

describe('GET /stores/{storeId}/tickets/{page}/search/{query}', () => {
  test('finds words of the subject, of any message and the address of the customer', async () => {
    const { seller, order } = await aPurchase({ emailAddress: 'finder@example.com' })
    const ticket = await open(order, { subject: 'Licence lost', message: 'My cat ate it.' })
    await seller.call(contract.replyToTicket, {
      path: { ticketId: ticket.data.id },
      body: { message: 'Poor creature' },
    })
    await open((await aPurchase({}, seller)).order, { subject: 'Refund', message: 'Please' })

    const search = async (query: string) => {
      const found = await seller.call(contract.searchTickets, { path: { page: 1, query } })
      return found.reply.data.map(({ subject }) => subject)
    }
    assert.deepEqual(await search('licence'), ['Licence lost'])
    assert.deepEqual(await search('CAT ate'), ['Licence lost'])
    assert.deepEqual(await search('creature'), ['Licence lost'])
    assert.deepEqual(await search('finder@example.com'), ['Licence lost'])
    assert.deepEqual(await search('dog'), [])
    for (const odd of ["a'--", '%', '& | !', '((', ':*']) assert.deepEqual(await search(odd), [], odd)
  })

  test('finds nothing of another store', async () => {
    await aTicket({ subject: 'Zanzibar', message: 'Hello' })
    const other = await aSeller(server)
    const found = await other.call(contract.searchTickets, { path: { page: 1, query: 'Zanzibar' } })
    assert.deepEqual(found.reply, { success: true, pages: 0, data: [] })
  })
})

describe('GET /stores/{storeId}/tickets/{ticketId}', () => {
  test('shows every field', async () => {
    const { seller, order, ticket } = await aTicket()
    const found = await seller.call(contract.getTicket, { path: { ticketId: ticket.id } })
    const store = await call(server, viewStoreById, { path: { storeId: seller.storeId } })

    assert.equal(found.data.subject, 'No key')
    assert.equal(found.data.status, 0)
    assert.equal(found.data.targetStore.id, seller.storeId)
    assert.equal(found.data.targetStore.url, store.data.url)
    assert.deepEqual(found.data.owner, {
      id: order.customer.id,
      dateCreated: order.customer.dateCreated,
      emailAddress: order.customer.emailAddress,
      linkedIntegrations: [],
    })
    assert.deepEqual(
      found.data.entries.map(({ message, name }) => ({ message, name })),
      [{ message: 'I got no key.', name: order.customer.emailAddress }],
    )
  })

  test("another store's ticket is unknown", async () => {
    const { ticket } = await aTicket()
    const other = await aSeller(server)
    for (const endpoint of [contract.getTicket, contract.closeTicket]) {
      const refused = await other.call(endpoint, { path: { ticketId: ticket.id } })
      assert.deepEqual(refused.refused, { status: 404, code: 'NotFound' })
    }
    const reply = await other.call(contract.replyToTicket, { path: { ticketId: ticket.id }, body: { message: '' } })
    assert.equal(reply.refused?.status, 404)
  })
})

describe('PUT /stores/{storeId}/tickets/{ticketId}', () => {
  test('adds the reply and leaves the status', async () => {
    const { seller, order, ticket } = await aTicket()
    const replied = await seller.call(contract.replyToTicket, {
      path: { ticketId: ticket.id },
      body: { message: 'Here.' },
    })
    const [store] = [replied.data.targetStore]

    assert.equal(replied.data.status, 0)
    assert.deepEqual(
      replied.data.entries.map(({ message, name }) => ({ message, name })),
      [
        { message: 'I got no key.', name: order.customer.emailAddress },
        { message: 'Here.', name: store.name },
      ],
    )
  })

  test('a message has 1 to 2048 characters, and more than white space', async () => {
    const { seller, ticket } = await aTicket()
    const reply = (message: unknown) =>
      seller.call(contract.replyToTicket, { path: { ticketId: ticket.id }, body: { message } })
    for (const message of ['x', '🔑'.repeat(2048), 'é'.repeat(2048)]) {
      assert.equal((await reply(message)).data.entries.at(-1)?.message, message)
    }
    for (const message of ['', ' \t\n\u00a0\u3000', '🔑'.repeat(2049), 7, null, undefined, 'a\u0000b', '\ud800']) {
      const refused = await reply(message)
      assert.equal(refused.refused?.status, 400, JSON.stringify(message))
      assert.deepEqual(Object.keys(refused.refused?.fields ?? {}), ['message'])
    }
  })

  test('tells the customer by mail, with the conversation and the way back', async () => {
    const { seller, order, ticket } = await aTicket()
    await seller.call(contract.replyToTicket, {
      path: { ticketId: ticket.id },
      body: { message: 'Look <b>again</b>.' },
    })

    const mails = await mailsTo(order.customer.emailAddress)
    const mail = mails.find(({ subject }) => subject.includes('replied: No key'))
    assert.ok(mail)
    assert.match(mail.text, /Look <b>again<\/b>\.[\s\S]*I got no key\./)
    assert.match(mail.html, /Look &lt;b&gt;again/)
    assert.ok(mail.text.includes(`/checkout/${order.id}?key=${order.key}`))
  })

  test('a closed ticket takes no reply', async () => {
    const { seller, ticket } = await aTicket()
    await seller.call(contract.closeTicket, { path: { ticketId: ticket.id } })
    const late = await seller.call(contract.replyToTicket, { path: { ticketId: ticket.id }, body: { message: 'Late' } })
    assert.deepEqual(late.refused, { status: 409, code: 'ObjectConflict' })
  })
})

describe('DELETE /stores/{storeId}/tickets/{ticketId}', () => {
  test('closes the ticket; closing it again changes nothing', async () => {
    const { seller, ticket } = await aTicket()
    const first = await seller.call(contract.closeTicket, { path: { ticketId: ticket.id } })
    const second = await seller.call(contract.closeTicket, { path: { ticketId: ticket.id } })
    const found = await seller.call(contract.getTicket, { path: { ticketId: ticket.id } })
    const store = await call(server, viewStoreById, { path: { storeId: seller.storeId } })

    assert.equal(first.data, null)
    assert.equal(second.status, 200)
    assert.equal(found.data.status, 2)
    assert.equal(store.data.resolvedTickets, 1)
  })

  test('closing against replying keeps the reply and the closing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { seller, order, ticket } = await aTicket()
      const path = { ticketId: ticket.id }
      const [reply, close, own] = await Promise.all([
        seller.call(contract.replyToTicket, { path, body: { message: 'Meanwhile' } }),
        seller.call(contract.closeTicket, { path }),
        answer(order, ticket.id, { message: 'Me too' }),
      ])
      const found = await seller.call(contract.getTicket, { path })
      const kept = [reply, own].filter(({ status }) => status === 200).length
      assert.equal(close.status, 200)
      assert.equal(found.data.status, 2)
      assert.equal(found.data.entries.length, 1 + kept)
    }
  })
})

describe('POST /orders/{orderId}/tickets', () => {
  test('opens a ticket, tells the seller, and records the event', async () => {
    const { seller, order, ticket } = await aTicket()
    const shown = await view(server, order)
    const [mail] = await mailsTo(seller.user.emailAddress).then((mails) =>
      mails.filter(({ subject }) => subject === 'New ticket: No key'),
    )
    const event = (await eventsOf(seller)).find(({ type }) => type === 'ticket.created')
    const data = JSON.parse(event?.body ?? '{}').data

    assert.equal(ticket.status, 0)
    assert.deepEqual(
      shown.data.tickets.map(({ id }) => id),
      [ticket.id],
    )
    assert.ok(mail?.text.includes('I got no key.'))
    assert.ok(!mail?.text.includes(order.key))
    assert.equal(data.ticketId, ticket.id)
    assert.equal(data.orderId, order.id)
    assert.equal(data.entry.message, 'I got no key.')
    assert.ok(!event?.body.includes(order.key))
  })

  test('names every invalid field', async () => {
    const { order } = await aPurchase()
    const nothing = await open(order, {})
    const lines = await open(order, { subject: 'a\r\nBcc: b@example.com', message: 'x' })
    const blank = await open(order, { subject: '  ', message: ' ' })
    const long = await open(order, { subject: 'x'.repeat(129), message: 'x'.repeat(2049) })
    const longest = await open(order, { subject: '🔑'.repeat(128), message: 'x' })

    assert.deepEqual(nothing.refused?.fields, { subject: 'is required', message: 'is required' })
    assert.deepEqual(Object.keys(lines.refused?.fields ?? {}), ['subject'])
    assert.deepEqual(Object.keys(blank.refused?.fields ?? {}).toSorted(), ['message', 'subject'])
    assert.deepEqual(Object.keys(long.refused?.fields ?? {}).toSorted(), ['message', 'subject'])
    assert.equal(longest.status, 200)
  })

  test('is unknown without the key of that order', async () => {
    const { order } = await aPurchase()
    const other = await aPurchase()
    for (const key of ['', 'x', other.order.key]) {
      const refused = await open({ id: order.id, key })
      assert.deepEqual(refused.refused, { status: 404, code: 'NotFound' })
    }
  })

  test('a customer opens five an hour, over all orders and at once', async () => {
    const emailAddress = 'flood@example.com'
    const { seller, order, product } = await aPurchase({ emailAddress })
    const second = await anOrder(seller, product, { emailAddress })
    const opened = await Promise.all(Array.from({ length: 12 }, (_, index) => open(index % 2 ? order : second)))
    const late = await open(order)

    assert.equal(opened.filter(({ status }) => status === 200).length, 5)
    assert.equal(late.refused?.status, 429)
    assert.ok(Number(late.headers['retry-after']) > 3500)

    await sql`update ticket_openings set opened_at = array(select moment - interval '1 hour' from unnest(opened_at) moment)
      where store_id = ${seller.storeId}`.execute(server.platform.db)
    assert.equal((await open(order)).status, 200)
  })

  test('the same Idempotency-Key opens one ticket', async () => {
    const { seller, order } = await aPurchase()
    const headers = { 'idempotency-key': 'once' }
    const body = { subject: 'Once', message: 'Hello' }
    const first = await open(order, body, headers)
    const again = await open(order, body, headers)
    const list = await seller.call(contract.listTickets, { path: { page: 1 } })

    assert.deepEqual(again.body, first.body)
    assert.equal(list.reply.data.length, 1)
  })
})

describe('POST /orders/{orderId}/tickets/{ticketId}', () => {
  test('an unknown ticket is 404, whatever the message', async () => {
    const { order } = await aPurchase()
    const other = await aTicket()
    for (const body of [{ message: '' }, {}, { message: 'Hello' }]) {
      assert.deepEqual((await answer(order, newId(), body)).refused, { status: 404, code: 'NotFound' })
      assert.deepEqual((await answer(order, other.ticket.id, body)).refused, { status: 404, code: 'NotFound' })
    }
  })

  test('a new ticket may name a closed one of the same buyer', async () => {
    const { seller, order, ticket } = await aTicket()
    const other = await aTicket()
    const again = (previousTicketId: string) => open(order, { subject: 'Again', message: 'Hello', previousTicketId })
    assert.deepEqual((await again(ticket.id)).refused, { status: 409, code: 'ObjectConflict' })
    await seller.call(contract.closeTicket, { path: { ticketId: ticket.id } })
    const opened = await again(ticket.id)
    const particulars = await seller.call(contract.getTicketParticulars, { path: { ticketId: opened.data.id } })
    assert.equal(particulars.data.previousTicketId, ticket.id)
    assert.equal((await again(other.ticket.id)).refused?.status, 404)
    assert.deepEqual(Object.keys((await again('x')).refused?.fields ?? {}), ['previousTicketId'])
  })

  test('on an unanswered ticket the status stays, on an answered one it is "customer responded"', async () => {
    const { seller, order, ticket } = await aTicket()
    const before = await answer(order, ticket.id)
    await seller.call(contract.replyToTicket, { path: { ticketId: ticket.id }, body: { message: 'Here.' } })
    const after = await answer(order, ticket.id, { message: 'Thank you' })
    const mails = await mailsTo(seller.user.emailAddress)
    const replied = (await eventsOf(seller)).filter(({ type }) => type === 'ticket.replied')

    assert.equal(before.data.status, 0)
    assert.equal(after.data.status, 4)
    assert.deepEqual(
      after.data.entries.map(({ message }) => message),
      ['I got no key.', 'Still nothing.', 'Here.', 'Thank you'],
    )
    assert.equal(mails.filter(({ subject }) => subject === 'Ticket answered: No key').length, 2)
    assert.equal(replied.length, 3)
  })

  test('a closed ticket takes no reply', async () => {
    const { seller, order, ticket } = await aTicket()
    await seller.call(contract.closeTicket, { path: { ticketId: ticket.id } })
    const late = await answer(order, ticket.id)
    const found = await seller.call(contract.getTicket, { path: { ticketId: ticket.id } })
    assert.deepEqual(late.refused, { status: 409, code: 'ObjectConflict' })
    assert.equal(found.data.entries.length, 1)
  })

  test("another order's ticket is unknown, even to the same customer", async () => {
    const { seller, product, order, ticket } = await aTicket()
    const second = await anOrder(seller, product, { emailAddress: order.customer.emailAddress })
    const refused = await answer(second, ticket.id)
    assert.deepEqual(refused.refused, { status: 404, code: 'NotFound' })
  })

  test('the message has the same limits', async () => {
    const { order, ticket } = await aTicket()
    for (const message of ['', ' ', 'x'.repeat(2049)]) {
      const refused = await answer(order, ticket.id, { message })
      assert.deepEqual(Object.keys(refused.refused?.fields ?? {}), ['message'])
    }
  })
})

describe('scopes', () => {
  test('reading, replying and closing each need their own', async () => {
    const { seller, ticket } = await aTicket()
    const apiKey = await aKey(server, seller.user, { scopes: ['ViewTickets'] })
    const path = { storeId: seller.storeId, ticketId: ticket.id }
    const read = await call(server, contract.getTicket, { path }, { apiKey })
    const reply = await call(server, contract.replyToTicket, { path, body: { message: 'x' } }, { apiKey })
    const close = await call(server, contract.closeTicket, { path }, { apiKey })
    assert.deepEqual([read.status, reply.status, close.status], [200, 403, 403])
  })
})
