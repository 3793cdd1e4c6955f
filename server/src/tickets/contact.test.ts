import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/tickets'
import { getAnalytics } from '@keystall/contract/endpoints/analytics'
import { describe, test } from 'vitest'
import { sql } from 'kysely'
import { type Seller } from '#test/factories'
import { useServer } from '#test/harness'
import { aShop } from '#test/shop'
import { aVisitor } from '#test/visitor'
import { forgetRequests } from './contact.ts'

const server = useServer({ env: { RATE_LIMITS: 'on' } })
let asked = 0

const question = (given: Record<string, string> = {}) => {
  asked += 1
  return { emailAddress: `asker${asked}@example.com`, subject: 'Bulk price', message: 'What about 100?', ...given }
}

async function mailsTo(address: string) {
  return server.platform.db.selectFrom('mails').where('toAddress', '=', address).selectAll().orderBy('id').execute()
}

/** The last link in the last mail to the address, without its host. */
async function linkTo(address: string): Promise<string> {
  const mail = (await mailsTo(address)).at(-1)
  return /https?:\/\/[^/\s]+(\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

async function ticketsOf(seller: Seller) {
  return (await seller.call(contract.listTickets, { path: { page: 1 } })).reply.data
}

async function aConfirmed(given: Record<string, string> = {}) {
  const seller = await aShop(server)
  const visitor = await aVisitor(server, seller)
  const sent = question(given)
  await visitor.post('/contact', sent)
  const { location } = await visitor.post(await linkTo(sent.emailAddress), {})
  const [ticket] = await ticketsOf(seller)
  assert.ok(ticket)
  return { seller, visitor, sent, location, ticket }
}

describe('a question from the contact page', () => {
  test('reaches the seller once its address is proven, and only then', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    const sent = question()
    const answered = await visitor.post('/contact', sent)
    assert.equal(answered.status, 200)
    assert.match(answered.text, /Look into your mail/)
    assert.deepEqual([await ticketsOf(seller), (await mailsTo(seller.user.emailAddress)).length], [[], 0])

    const link = await linkTo(sent.emailAddress)
    const looked = await visitor.get(link)
    assert.match(looked.text, /What about 100\?/)
    assert.equal(looked.headers['cache-control'], 'private, no-store')
    assert.deepEqual(await ticketsOf(seller), [], 'looking at the link sends nothing')

    const confirmed = await visitor.post(link, {})
    assert.match(confirmed.location, /^\/ticket\/[0-9a-f-]{36}\?key=[\w-]{22}$/)
    const [ticket] = await ticketsOf(seller)
    assert.equal(ticket?.owner.emailAddress, sent.emailAddress)
    assert.deepEqual(
      [ticket?.subject, ticket?.status, ticket?.entries.map(({ name, message }) => [name, message])],
      [sent.subject, 0, [[sent.emailAddress, sent.message]]],
    )
    const path = { ticketId: ticket?.id ?? '' }
    const particulars = await seller.call(contract.getTicketParticulars, { path })
    assert.deepEqual(particulars.data, { orderId: null, previousTicketId: null, closedAt: null, attachments: [] })
    const analytics = await seller.call(getAnalytics, { path: { timeStr: '1d' } })
    assert.deepEqual([analytics.data.tickets, analytics.data.customers], [1, 0])
    const [told] = await mailsTo(seller.user.emailAddress)
    assert.match(told?.text ?? '', /What about 100\?/)
    assert.doesNotMatch(told?.text ?? '', /key=/)
  })

  test('the mail that asks for the proof holds nothing that was typed', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    const sent = question({ subject: 'BUY-PILLS', message: 'at evil.example' })
    await visitor.post('/contact', sent)
    const [mail] = await mailsTo(sent.emailAddress)
    assert.doesNotMatch(`${mail?.subject} ${mail?.text} ${mail?.html}`, /PILLS|evil\.example/)
  })

  test('confirmed ten times at once it is one ticket, and each is led to it', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    const sent = question()
    await visitor.post('/contact', sent)
    const link = await linkTo(sent.emailAddress)
    const all = await Promise.all(Array.from({ length: 10 }, () => visitor.post(link, {})))
    assert.equal(new Set(all.map(({ location }) => location)).size, 1)
    assert.equal((await ticketsOf(seller)).length, 1)
    assert.equal((await visitor.get(link)).location, all[0]?.location)
  })

  test('what is wrong is told beside the field, and nothing typed is lost', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    for (const [given, reason] of [
      [{ emailAddress: 'nobody' }, /E-mail (must|is)/],
      [{ emailAddress: 'a@b.example\r\nBcc: c@d.example' }, /E-mail (must|is)/],
      [{ subject: ' ' }, /Subject (must|is)/],
      [{ subject: 'x'.repeat(129) }, /Subject (must|is)/],
      [{ message: '' }, /Message (must|is)/],
      [{ message: 'x'.repeat(2049) }, /Message (must|is)/],
    ] as const) {
      const refused = await visitor.post('/contact', question({ message: 'Typed with care', ...given }))
      assert.deepEqual([refused.status, reason.test(refused.text)], [400, true], JSON.stringify(given))
    }
    assert.equal((await visitor.post('/contact', question(), { origin: 'https://evil.example' })).status, 403)
  })

  test('the fourth of an address within the hour is refused, in any case', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    const sent = question()
    for (const emailAddress of [sent.emailAddress, sent.emailAddress, sent.emailAddress.toUpperCase()]) {
      assert.equal((await visitor.post('/contact', { ...sent, emailAddress })).status, 200)
    }
    const refused = await visitor.post('/contact', sent)
    assert.deepEqual([refused.status, refused.text.includes('What about 100?')], [429, true])
    assert.equal((await mailsTo(sent.emailAddress)).length, 2)
  })

  test('the eleventh of a network within the hour is refused', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    const statuses: number[] = []
    for (let sent = 0; sent < 11; sent += 1) statuses.push((await visitor.post('/contact', question())).status)
    assert.deepEqual([statuses.slice(0, 10).every((status) => status === 200), statuses[10]], [true, 429])
  })

  test('a link is good for two days, here and with its own key alone', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    const other = await aVisitor(server, await aShop(server))
    const sent = question()
    await visitor.post('/contact', sent)
    const link = await linkTo(sent.emailAddress)
    assert.equal((await other.post(link, {})).status, 404)
    assert.equal((await visitor.post(link.replace(/key=.*/, 'key=wrong'), {})).status, 404)
    await sql`update ticket_requests set date_created = now() - interval '49 hours' where store_id = ${seller.storeId}`.execute(
      server.platform.db,
    )
    assert.equal((await visitor.post(link, {})).status, 404)
    await forgetRequests(server.platform.db)
    const { rows } = await sql`select from ticket_requests where store_id = ${seller.storeId}`.execute(
      server.platform.db,
    )
    assert.equal(rows.length, 0)
  })
})

describe('the page of such a ticket', () => {
  test('shows the conversation, takes replies and files, and mails both ways', async () => {
    const { seller, visitor, sent, location, ticket } = await aConfirmed()
    const path = { ticketId: ticket.id }
    await seller.call(contract.replyToTicket, { path, body: { message: 'Ten percent off.' } })
    const mail = (await mailsTo(sent.emailAddress)).at(-1)
    assert.match(mail?.text ?? '', /Ten percent off\.[^]*What about 100\?/)
    assert.equal(await linkTo(sent.emailAddress), location)

    const page = await visitor.get(location)
    assert.match(page.text, /Ten percent off\./)
    assert.equal(page.headers['referrer-policy'], 'no-referrer')
    const at = location.replace('?', '/reply?')
    const answered = await visitor.send(at, [
      { name: 'message', content: 'Twenty?' },
      { name: 'file', content: 'a list', fileName: 'list.txt' },
    ])
    assert.equal(answered.location, location)
    const found = await seller.call(contract.getTicket, { path })
    assert.deepEqual(
      [found.data.status, found.data.entries.map(({ message }) => message)],
      [4, ['What about 100?', 'Ten percent off.', 'Twenty?']],
    )
    const shown = await visitor.get(location)
    const [, href = ''] = /<a download href="([^"]*)">list\.txt/.exec(shown.text) ?? []
    assert.equal((await visitor.get(href)).text, 'a list')
    assert.equal((await visitor.get(href.replace(/key=.*/, 'key=wrong'))).status, 404)
    const told = (await mailsTo(seller.user.emailAddress)).at(-1)
    assert.match(told?.text ?? '', /Twenty\?\n\[list\.txt\]/)
    const empty = await visitor.send(at, [{ name: 'message', content: ' ' }])
    assert.deepEqual([empty.status, /Reply is needed/.test(empty.text)], [400, true])
  })

  test('without its key there is none', async () => {
    const { seller, visitor, location } = await aConfirmed()
    const other = await aVisitor(server, await aShop(server))
    for (const path of [location.replace(/key=.*/, 'key=x'), location.replace(/\?.*/, ''), '/ticket/x?key=y']) {
      assert.equal((await visitor.get(path)).status, 404, path)
    }
    assert.equal((await other.get(location)).status, 404)
    assert.ok(seller)
  })

  test('a closed one takes no reply, and offers a new ticket that names it', async () => {
    const { seller, visitor, location, ticket, sent } = await aConfirmed()
    await seller.call(contract.closeTicket, { path: { ticketId: ticket.id } })
    const closed = await visitor.get(location)
    assert.match(closed.text, /This ticket is closed/)
    assert.match(closed.text, /value="Re: Bulk price"/)
    assert.equal((await visitor.post(location.replace('?', '/reply?'), { message: 'Hello?' })).status, 409)

    const again = await visitor.post(location.replace('?', '/again?'), {
      subject: 'Re: Bulk price',
      message: 'One more thing.',
    })
    assert.notEqual(again.location, location)
    assert.match((await visitor.get(again.location)).text, /Goes on from: Bulk price/)
    const [newest] = await ticketsOf(seller)
    const particulars = await seller.call(contract.getTicketParticulars, { path: { ticketId: newest?.id ?? '' } })
    assert.equal(particulars.data.previousTicketId, ticket.id)
    assert.deepEqual([newest?.owner.emailAddress, newest?.subject], [sent.emailAddress, 'Re: Bulk price'])
  })

  test('an open one does not begin another', async () => {
    const { visitor, location } = await aConfirmed()
    const again = await visitor.post(location.replace('?', '/again?'), { subject: 'Re', message: 'Hello' })
    assert.equal(again.status, 409)
  })
})
