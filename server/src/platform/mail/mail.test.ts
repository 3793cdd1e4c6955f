import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest'
import { transact } from '#platform/db/transaction'
import { startJobs } from '#platform/jobs/runner'
import type { Platform } from '#platform/platform'
import { aDatabase, type TestDatabase } from '#test/database'
import { isMailAddress } from './address.ts'
import { mailPerformers } from './jobs.ts'
import { layout } from './layout.ts'
import { mailLater } from './mail.ts'
import { createSmtpMailer, Undeliverable } from './mailer.ts'
import { selectMails } from './queries.ts'

const log = pino({ level: 'silent' })
const mailFrom = 'Keystall <no-reply@shop.example>'
let database: TestDatabase

beforeAll(async () => {
  database = await aDatabase()
})

afterAll(() => database.close())

const aMail = {
  to: 'buyer@example.com',
  subject: 'Your order',
  ...layout({ title: 'A', paragraphs: ['b'], footer: 'c' }),
}

async function aMailServer(refuse: (address: string) => number | undefined = () => undefined) {
  const received: { to: string[]; raw: Buffer }[] = []
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onRcptTo({ address }, _session, done) {
      const responseCode = refuse(address)
      done(responseCode === undefined ? undefined : Object.assign(new Error('no'), { responseCode }))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks)
        received.push({ to: envelope.rcptTo.map(({ address }) => address), raw })
        done()
      })
    },
  })
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = listener.address()
  assert.ok(address && typeof address === 'object')
  const smtpUrl = new URL(`smtp://127.0.0.1:${address.port}`)
  return { received, smtpUrl }
}

function start(smtpUrl?: URL): void {
  const platform = { log, config: { smtpUrl, mailFrom } } as Platform
  const jobs = startJobs({ ...database, platform, performers: mailPerformers })
  onTestFinished(() => jobs.stop(1))
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 5000
  while (!(await isTrue())) {
    assert.ok(Date.now() < end, 'it did not happen in time')
    await sleep(10)
  }
}

const newest = async () => (await selectMails(database.db, 1))[0]

describe('a mail', () => {
  test('arrives whole, to its one recipient, and its words are forgotten', async () => {
    const { received, smtpUrl } = await aMailServer()
    start(smtpUrl)
    const words = layout({
      title: 'Ihre Bestellung — 订单',
      paragraphs: ['<b>not bold</b>', { code: 'KEY-1\nKEY-2' }],
      button: { label: 'Open order', url: 'https://shop.example/?a=1&b=2' },
      footer: 'Sent by the shop',
    })
    const mail = { to: 'buyer@example.com', subject: 'Bestellung 🔑', replyTo: 'seller@example.com', ...words }
    await transact(database.db, (tx) => mailLater(tx, mail))
    await until(async () => (await newest())?.sentAt instanceof Date)

    assert.deepEqual(received[0]?.to, ['buyer@example.com'])
    const parsed = await PostalMime.parse(received[0].raw)
    const row = await newest()
    assert.equal(parsed.subject, 'Bestellung 🔑')
    assert.equal(parsed.messageId, `<${row?.id}@shop.example>`)
    assert.equal(parsed.text?.trim(), words.text.trim())
    assert.equal(parsed.html?.trim(), words.html.trim())
    assert.equal(parsed.replyTo?.[0]?.address, 'seller@example.com')
    assert.equal(row?.text, '')
  })

  test('is kept when there is no mail server', async () => {
    start()
    await transact(database.db, (tx) => mailLater(tx, aMail))
    await sleep(150)
    const row = await newest()
    assert.equal(row?.sentAt, null)
    assert.equal(row?.text, aMail.text)
  })

  test('that is refused for good is not tried again; a temporary refusal is', async () => {
    const { received, smtpUrl } = await aMailServer((address) => (address.startsWith('gone') ? 550 : undefined))
    start(smtpUrl)
    await transact(database.db, (tx) => mailLater(tx, { ...aMail, to: 'gone@example.com' }))
    await until(async () => (await newest())?.failedAt instanceof Date)
    assert.equal(received.length, 0)

    const busy = await aMailServer(() => 451)
    const mailer = createSmtpMailer({ smtpUrl: busy.smtpUrl, from: mailFrom })
    const lost = mailer.send({ ...aMail, id: 'a', toAddress: 'a@example.com', replyTo: null, unsubscribeUrl: null })
    await assert.rejects(lost, (error) => !(error instanceof Undeliverable))
  })

  test.each([
    { to: 'a@example.com\r\nBcc: b@example.com' },
    { to: 'a@example.com, b@example.com' },
    { to: 'A <a@example.com>' },
    { subject: 'Hello\r\nBcc: b@example.com' },
    { subject: 'Hello\u2028' },
    { replyTo: 'a@example.com\nX: y' },
  ])('with %j is refused and not stored', async (change) => {
    const before = await selectMails(database.db, 100)
    await assert.rejects(
      transact(database.db, (tx) => mailLater(tx, { ...aMail, ...change })),
      { code: 'ValidationError' },
    )
    assert.equal((await selectMails(database.db, 100)).length, before.length)
  })
})

test('addresses are plain ones', () => {
  for (const good of ['a@b.co', 'first.last+tag@sub.example.com', "o'neil@example.com", 'käse@bücher.example']) {
    assert.ok(isMailAddress(good), good)
  }
  for (const bad of [
    '',
    'a',
    'a@b',
    '@b.co',
    'a@',
    'a@b.co ',
    'a@@b.co',
    'a@b.co.',
    `${'x'.repeat(65)}@b.co`,
    `a@${'x'.repeat(260)}.co`,
  ]) {
    assert.ok(!isMailAddress(bad), bad)
  }
})

test('a layout escapes what it is given', () => {
  const evil = `<img src=x onerror="a('b')">&`
  const { html } = layout({
    title: evil,
    paragraphs: [evil, { code: evil }],
    button: { label: evil, url: 'javascript:alert(1)' },
    footer: evil,
    sender: evil,
  })
  assert.doesNotMatch(html, /<img|javascript:/)
  assert.equal(html.match(/&lt;img src=x onerror=&quot;a\(&#39;b&#39;\)&quot;&gt;&amp;/g)?.length, 7)
})
