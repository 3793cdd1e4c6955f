import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import { join } from 'node:path'
import type { Endpoint } from '@keystall/contract/endpoint'
import * as contract from '@keystall/contract/endpoints/tickets'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import type { Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { multipart, multipartType } from '#test/multipart'
import { anOrder, aProduct, aShop, until } from '#test/shop'
import { aVisitor } from '#test/visitor'
import { dropOldDrafts } from './attachment.ts'

const server = useServer()
const picture = sharp({ create: { width: 40, height: 20, channels: 3, background: '#0c7f75' } })
const jpg = await picture
  .clone()
  .withExif({ IFD0: { Copyright: 'hidden words' } })
  .jpeg()
  .toBuffer()
const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n')
const refused = 'must be an image (PNG, JPG, WebP, GIF), a text in UTF-8 or a PDF'

type Order = { id: string; key: string }

async function aTicket(seller?: Seller) {
  const shop = seller ?? (await aShop(server))
  const order = await anOrder(shop, await aProduct(shop, { items: 1 }))
  const opened = await call(
    server,
    contract.openTicket,
    { path: { orderId: order.id }, body: { subject: 'Help', message: 'It does not work.' } },
    { orderKey: order.key },
  )
  return { seller: shop, order, ticket: opened.data }
}

async function upload(
  endpoint: Endpoint,
  path: Record<string, string>,
  headers: Record<string, string>,
  content: Buffer | string,
  fileName = 'note.txt',
) {
  const answer = await server.app.api.inject({
    method: 'POST',
    url: endpoint.path.replace(/\{(\w+)\}/g, (_, token) => path[token] ?? ''),
    headers: { 'content-type': multipartType, ...headers },
    payload: multipart([{ name: 'file', content, fileName }]),
  })
  const { data, code, invalidFields = [] } = answer.json()
  return { status: answer.statusCode, data, code, reason: invalidFields[0]?.reason }
}

const attach = (order: Order, content: Buffer | string, fileName?: string) =>
  upload(contract.attachToOwnTicket, { orderId: order.id }, { 'x-order-key': order.key }, content, fileName)

const attachAsSeller = (seller: Seller, ticketId: string, content: Buffer | string, fileName?: string) =>
  upload(
    contract.attachToTicket,
    { storeId: seller.storeId, ticketId },
    { authorization: `Bearer ${seller.apiKey}` },
    content,
    fileName,
  )

function reply({ id, key }: Order, ticketId: string, attachmentIds: unknown) {
  const body = { message: 'See the file.', attachmentIds }
  return call(server, contract.replyToOwnTicket, { path: { orderId: id, ticketId }, body }, { orderKey: key })
}

function stored(): Promise<string[]> {
  const folder = join(server.platform.config.dataDir, 'uploads/tickets')
  return readdir(folder, { recursive: true }).then(
    (names) => names.filter((name) => name.includes('/')),
    () => [],
  )
}

describe('POST /orders/{orderId}/tickets/attachments', () => {
  test('images, texts and PDFs are told by their bytes; images are written anew', async () => {
    const { order } = await aTicket()
    for (const [content, name, type] of [
      [jpg, 'a.txt', 'image/jpeg'],
      [await picture.clone().png().toBuffer(), 'b.png', 'image/png'],
      [await picture.clone().webp().toBuffer(), 'c.webp', 'image/webp'],
      [await picture.clone().gif().toBuffer(), 'd.gif', 'image/gif'],
      [pdf, 'e.pdf', 'application/pdf'],
      ['Grüße, 你好\n\tline', 'f.log', 'text/plain'],
      ['<script>alert(1)</script>', 'g.html', 'text/plain'],
    ] as const) {
      const { status, data } = await attach(order, content, name)
      assert.deepEqual([status, data.mediaType, data.friendlyName, data.entryId], [200, type, name, null])
    }
  })

  test('anything else is refused with its reason, and leaves nothing', async () => {
    const { order } = await aTicket()
    const before = await stored()
    for (const [content, reason] of [
      [Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]), refused],
      [Buffer.from([0xff, 0xfe, 0x41, 0]), refused],
      ['a\u0000b', refused],
      ['\u001b[31m', refused],
      [Buffer.from('MZ\u0090\u0000', 'latin1'), refused],
      [Buffer.alloc(0), 'must not be empty'],
    ] as const) {
      assert.deepEqual([(await attach(order, content)).reason], [reason], String(content))
    }
    const large = await attach(order, Buffer.alloc(10_000_001, 'a'))
    assert.deepEqual([large.status, large.code], [413, 'PayloadTooLarge'])
    assert.equal((await attach(order, Buffer.alloc(10_000_000, 'a'))).status, 200)
    assert.equal((await stored()).length, before.length + 1)
  })

  test('after twenty that wait it is 409; without the key it is 404', async () => {
    const { order } = await aTicket()
    for (let sent = 0; sent < 20; sent += 1) assert.equal((await attach(order, 'x')).status, 200)
    assert.equal((await attach(order, 'x')).code, 'ObjectConflict')
    assert.equal((await attach({ ...order, key: 'wrong' }, 'x')).status, 404)
  })
})

describe('attachments of a message', () => {
  test('go with it, and both sides can download them as files', async () => {
    const { seller, order, ticket } = await aTicket()
    const { data: first } = await attach(order, jpg, '../photo %221%22.jpg')
    const answered = await reply(order, ticket.id, [first.id])
    const { data: second } = await attachAsSeller(seller, ticket.id, pdf, 'answer.pdf')
    const body = { message: 'Read this.', attachmentIds: [second.id] }
    await seller.call(contract.replyToTicket, { path: { ticketId: ticket.id }, body })

    const sellers = await seller.call(contract.getTicketParticulars, { path: { ticketId: ticket.id } })
    const path = { orderId: order.id, ticketId: ticket.id }
    const buyers = await call(server, contract.listOwnAttachments, { path }, { orderKey: order.key })
    assert.deepEqual(sellers.data.attachments, buyers.data)
    assert.deepEqual(
      [sellers.data.orderId, sellers.data.previousTicketId, sellers.data.closedAt],
      [order.id, null, null],
    )
    assert.deepEqual(
      buyers.data.map(({ friendlyName, entryId }) => [friendlyName, entryId]),
      [
        ['photo "1".jpg', answered.data.entries[1]?.id],
        ['answer.pdf', sellers.data.attachments[1]?.entryId],
      ],
    )

    const download = await server.app.api.inject({
      url: `/stores/${seller.storeId}/tickets/${ticket.id}/attachments/${first.id}`,
      headers: { authorization: `Bearer ${seller.apiKey}` },
    })
    assert.equal(download.statusCode, 200)
    assert.match(String(download.headers['content-disposition']), /^attachment; filename="photo _1_\.jpg"/)
    assert.equal(download.headers['x-content-type-options'], 'nosniff')
    assert.match(String(download.headers['content-security-policy']), /sandbox/)
    assert.equal(download.rawPayload.includes('hidden words'), false)
    const own = await server.app.api.inject({
      url: `/orders/${order.id}/tickets/${ticket.id}/attachments/${second.id}?key=${order.key}`,
    })
    assert.deepEqual([own.statusCode, own.rawPayload.equals(pdf)], [200, true])
  })

  test('a draft is nobody’s to download, and goes into one message only', async () => {
    const { seller, order, ticket } = await aTicket()
    const { data: draft } = await attach(order, 'mine')
    const path = { ticketId: ticket.id, attachmentId: draft.id }
    assert.equal((await seller.call(contract.downloadAttachment, { path })).refused?.status, 404)
    const once = await Promise.all([1, 2, 3, 4].map(() => reply(order, ticket.id, [draft.id])))
    assert.equal(once.filter(({ status }) => status === 200).length, 1)
    assert.equal(once.filter(({ refused }) => refused?.status === 404).length, 3)
  })

  test('another order’s, another ticket’s and the other side’s are not found, and nothing is said', async () => {
    const { seller, order, ticket } = await aTicket()
    const other = await aTicket(seller)
    const foreign = await attach(other.order, 'theirs')
    const sellers = await attachAsSeller(seller, ticket.id, 'sellers')
    const mine = await attach(order, 'mine')
    for (const ids of [[foreign.data.id], [sellers.data.id], [newId()], [mine.data.id, newId()]]) {
      const answered = await reply(order, ticket.id, ids)
      assert.deepEqual(answered.refused, { status: 404, code: 'NotFound' })
    }
    const body = { message: 'Hello', attachmentIds: [sellers.data.id] }
    const elsewhere = await seller.call(contract.replyToTicket, { path: { ticketId: other.ticket.id }, body })
    assert.equal(elsewhere.refused?.status, 404)
    const after = await seller.call(contract.getTicket, { path: { ticketId: ticket.id } })
    assert.equal(after.data.entries.length, 1)
    assert.equal((await reply(order, ticket.id, [mine.data.id])).status, 200)
  })

  test('are at most five, each once', async () => {
    const { order, ticket } = await aTicket()
    const id = newId()
    const many = await reply(
      order,
      ticket.id,
      [1, 2, 3, 4, 5, 6].map(() => newId()),
    )
    assert.deepEqual(Object.keys(many.refused?.fields ?? {}), ['attachmentIds'])
    assert.equal((await reply(order, ticket.id, [id, id])).refused?.status, 400)
    assert.equal((await reply(order, ticket.id, ['x'])).refused?.status, 400)
  })

  test('what is uploaded and never sent is gone after a day, bytes included', async () => {
    const { order } = await aTicket()
    const { data } = await attach(order, 'forgotten')
    await sql`update ticket_attachments set date_created = now() - interval '25 hours' where id = ${data.id}`.execute(
      server.platform.db,
    )
    await dropOldDrafts(server.platform.db)
    await until(async () => !(await stored()).some((name) => name.endsWith(data.id)))
  })
})

describe('an upload that is cut off', () => {
  let listener: Server
  beforeAll(async () => {
    listener = createServer(server.app.handle)
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    listener.closeAllConnections()
    listener.close()
  })

  test('leaves no row and no bytes', async () => {
    const { order } = await aTicket()
    const before = await stored()
    const address = listener.address()
    assert.ok(typeof address === 'object' && address !== null)
    const body = multipart([{ name: 'file', content: Buffer.alloc(100_000, 'a'), fileName: 'a.txt' }])
    for (const sent of [10, 1000, 60_000, body.length - 5]) {
      await new Promise<void>((resolve) => {
        const outgoing = request({
          port: address.port,
          method: 'POST',
          path: `/orders/${order.id}/tickets/attachments`,
          headers: {
            host: server.platform.config.apiUrl.host,
            'x-order-key': order.key,
            'content-type': multipartType,
            'content-length': body.length,
          },
        })
        outgoing.once('error', () => resolve()).once('close', () => resolve())
        outgoing.write(body.subarray(0, sent), () => setTimeout(() => outgoing.destroy(), 50))
      })
    }
    await until(async () => {
      const { rows } = await sql`select from doomed_blobs where storage_key like 'tickets/%'`.execute(
        server.platform.db,
      )
      return rows.length === 0 && (await stored()).length === before.length
    })
    const { rows } = await sql`select from ticket_attachments where order_id = ${order.id}`.execute(server.platform.db)
    assert.equal(rows.length, 0)
  })
})

describe('the page of an order', () => {
  test('a message goes with its files; a wrong file is told, and nothing typed is lost', async () => {
    const { seller, order, ticket } = await aTicket()
    const visitor = await aVisitor(server, seller)
    const at = `/checkout/${order.id}/ticket/${ticket.id}?key=${order.key}`
    const before = (await stored()).length
    const wrong = await visitor.send(at, [
      { name: `message ${ticket.id}`, content: 'Typed with care' },
      { name: 'file', content: 'good', fileName: 'good.txt' },
      { name: 'file', content: Buffer.from([0, 1, 2]), fileName: 'bad.bin' },
    ])
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /Typed with care/)
    assert.match(wrong.text, /A file must be a picture, a text or a PDF: bad\.bin/)
    assert.equal((await stored()).length, before)

    const sent = await visitor.send(at, [
      { name: `message ${ticket.id}`, content: 'Typed with care' },
      { name: 'file', content: 'good', fileName: 'good.txt' },
      { name: 'file', content: '', fileName: '' },
    ])
    assert.equal(sent.status, 303)
    const page = await visitor.get(sent.location)
    const [, href = ''] = /<a download href="([^"]*attachments[^"]*)">good\.txt/.exec(page.text) ?? []
    const file = await visitor.get(href.replaceAll('&amp;', '&'))
    assert.deepEqual([file.status, file.text], [200, 'good'])
    assert.equal((await visitor.get(href.replace(/key=.*/, 'key=wrong'))).status, 404)
  })

  test('more than five files at once are refused', async () => {
    const { seller, order, ticket } = await aTicket()
    const visitor = await aVisitor(server, seller)
    const files = [1, 2, 3, 4, 5, 6].map((n) => ({ name: 'file', content: 'x', fileName: `${n}.txt` }))
    const before = (await stored()).length
    const sent = await visitor.send(`/checkout/${order.id}/ticket/${ticket.id}?key=${order.key}`, [
      { name: `message ${ticket.id}`, content: 'Many' },
      ...files,
    ])
    assert.equal(sent.status, 400)
    assert.equal((await stored()).length, before)
  })
})
