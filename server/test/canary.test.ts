import type { Server } from 'node:http'
import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { scopeNames } from '@keystall/contract/scopes'
import { sql } from 'kysely'
import { afterAll, assert, beforeAll, describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { createListener } from '#platform/http/server'
import { anApp, aCode, exchange } from './consent.ts'
import { generateSync } from 'otplib'
import { aKey, aSeller, aUser, type Seller, testPassword } from './factories.ts'
import { type Furnished, furnish, pathIn, plant } from './furnished.ts'
import { useServer } from './harness.ts'
import { askingFor, type Credentials, type Heard, Line } from './line.ts'
import { multipart, multipartType } from './multipart.ts'
import { aMember } from './members.ts'
import { signedIn } from './people.ts'
import { sampleOf } from './sample.ts'
import type { Shape } from './shape.ts'
import { isFree, textsIn } from './texts.ts'

// One seller has a word in every field that is nobody else's business. Everybody else asks for everything.

const word = 'canaryCanaryCanary'
const server = useServer({ hasJobs: false })
const all = Object.entries<Endpoint>(endpoints)
let listener: Server
let line: Line
let owner: Furnished
let ownerEmail: string
let stranger: Seller
const strangers: Record<string, Credentials> = {}

beforeAll(async () => {
  listener = createListener(server.app.handle)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { apiUrl, dashUrl } = server.platform.config
  line = new Line({ port: Object(listener.address()).port, api: apiUrl.host, dash: dashUrl.host })

  ownerEmail = `${word.toLowerCase()}@example.com`
  const user = await aUser(server, { emailAddress: ownerEmail })
  const seller = { apiKey: await aKey(server, user), cookie: await signedIn(server, user) }
  owner = await furnish(line, seller, word)
  owner.secrets.push(seller.apiKey, seller.cookie, ownerEmail, testPassword)
  const staff = { cookie: await signedIn(server, await aUser(server, { isStaff: true })) }
  await plantAtStaff(staff)
  await plantAtAccount(seller)

  stranger = await aSeller(server)
  const app = await anApp(server, { scopes: [...scopeNames] })
  const byApp = await exchange(server, app, await aCode(server, app, stranger.user))
  strangers['a key'] = { apiKey: stranger.apiKey }
  strangers['a session'] = { cookie: await signedIn(server, stranger.user) }
  strangers['an app'] = { apiKey: String(byApp.data) }
  strangers['a member of another store'] = { cookie: (await aMember(server, stranger, [...scopeNames])).cookie }
  strangers['staff'] = staff
})

afterAll(() => {
  line.close()
  listener.closeAllConnections()
  listener.close()
})

/** The staff's words are for the owner alone. */
async function plantAtStaff(staff: { cookie: string }): Promise<void> {
  const { ids } = owner
  const write = (endpoint: Endpoint, form?: unknown, path = ids) =>
    plant(line, { ...owner, ids: path }, endpoint, form, staff)
  ids['flagId'] = (await write(endpoints.listFlagsForStaff))[0].id
  await write(endpoints.decideFlag, { approved: false, administratorNote: `left ${word}` })
  ids['reportId'] = (await write(endpoints.listReportsForStaff))[0].id
  await write(endpoints.resolveReport, { note: `resolved ${word}` })
  await write(endpoints.holdProduct, { reason: `held ${word}` }, { ...ids, productId: ids['hiddenProductId'] ?? '' })
  await write(endpoints.disablePaymentMethods, { disabledPaymentMethods: { card: `disabled ${word}` } })
}

/** With the second factor on at the end. */
async function plantAtAccount(as: Credentials): Promise<void> {
  const write = (endpoint: Endpoint, form: unknown) => plant(line, owner, endpoint, form, as)
  await write(endpoints.changeEmail, { emailAddress: `new-${word}@example.com`, password: testPassword })
  const { secret } = await write(endpoints.beginTwoFactor, { password: testPassword })
  const { recoveryCodes } = await write(endpoints.enableTwoFactor, { code: generateSync({ secret }) })
  owner.secrets.push(secret, ...recoveryCodes)
}

/** What nobody needs to look for, and why. */
const unplanted: Record<string, string> = {
  ...of('everybody reads it in the store', [
    ...['createStore', 'createProductGroup.name', 'reviewProduct.reason', 'replyToReview.reply', 'addFaqEntry'],
    ...['signUp.userName', 'arrangeProductImages.imageNames', 'createOrder.customValues.key'],
  ]),
  ...of('it stands in a link that is made to be passed on', ['createOrder.affiliateCode', 'signUp.referralCode']),
  ...of('everybody who is asked for consent reads it', ['createApp.name']),
  ...of('it is the name of a permission or a plan', [
    ...['inviteMember.scopes', 'createApp.scopes', 'createKey.scopes', 'setPlan.plan'],
  ]),
  ...of('it is compared, or kept as a hash, and the real ones are looked for', [
    ...['signUp.password', 'signInWithCode.code', 'changeEmail.code'],
    ...['confirmAccount.token', 'viewInvitation.token', 'eraseCustomer.emailAddress'],
    ...['savePaymentSettings.password', 'savePaymentSettings.code'],
  ]),
  ...of('it is an address on a public chain', ['startSweep.recipient']),
  ...of('it is answered or sent at once, and not kept', ['previewPage.product', 'sendTestRequest']),
}

function of(reason: string, fields: string[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, reason]))
}

test('every text that a form takes has the word in it, or is named here with the reason', () => {
  const fields = new Map<Shape, string>()
  for (const [name, { body }] of all.toReversed()) {
    for (const { at, shape } of textsIn(shapeOf(body))) if (isFree(shape)) fields.set(shape, `${name}.${at}`)
  }
  assert.isAbove(fields.size, 80)
  const named = (field: string) => Object.keys(unplanted).filter((each) => `${field}.`.startsWith(`${each}.`))
  const missing = [...fields].filter(([shape]) => !owner.planted.has(shape)).map(([, field]) => field)
  assert.deepEqual(
    missing.filter((field) => named(field).length === 0),
    [],
  )
  // None of them stands here for nothing.
  assert.deepEqual([...new Set(missing.flatMap(named))].toSorted(), Object.keys(unplanted).toSorted())
})

/** As a stranger would ask who knows every id, or only guesses. */
function ask(endpoint: Endpoint, path: Record<string, string>, as: Credentials, named: Furnished): Promise<Heard> {
  const body = endpoint.upload
    ? multipart([{ name: endpoint.upload.part, content: 'x', fileName: 'x.txt' }])
    : endpoint.body && JSON.stringify(sampleOf(shapeOf(endpoint.body), named))
  const headers = endpoint.upload ? { 'content-type': multipartType } : {}
  return line.ask(askingFor(line.address, endpoint, { path, body, headers }, as))
}

function shapeOf(schema: unknown): Shape {
  return Object(schema)
}

/** Ids that nothing has. */
function guessed(ids: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, name.endsWith('Id') ? newId() : id]))
}

function assertSilent(what: string, { headers, text }: Heard, secrets = owner.secrets): void {
  const said = (JSON.stringify(headers) + text).toLowerCase()
  for (const secret of secrets) assert.notInclude(said, secret.toLowerCase(), what)
}

const plain = ({ status, text }: Heard) => ({
  status,
  text: text.replace(/"requestId":"[^"]*"/, ''),
})

/** Every row in which the owner's ids stand, in all tables. */
async function rowsOfOwner(): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'jobs'`.execute(server.platform.db)
  const ids = [owner.ids['storeId'], owner.ids['userId'], owner.ids['appId']].join('|')
  const statement = tables
    .map(({ name }) => `select '${name} ' || t::text as row from "${name}" t where t::text ~ '${ids}'`)
    .join(' union all ')
  const { rows } = await sql.raw<{ row: string }>(`${statement} order by 1`).execute(server.platform.db)
  return rows.map(({ row }) => row)
}

/** Those that take a key or a session: whoever is let in there is known. */
const guarded = all.filter(([, { access }]) => access !== 'public' && access !== 'guest' && access !== 'order')

describe.each(['a key', 'a session', 'an app', 'a member of another store', 'staff'])('%s of somebody else', (who) => {
  // What the staff may see is below.
  const canAsk = ({ access }: Endpoint) =>
    scopeNames.some((scope) => scope === access) ||
    (strangers[who]?.cookie !== undefined && !(who === 'staff' && access === 'staff'))

  test('learns and changes nothing, whichever ids are named', async () => {
    const before = await rowsOfOwner()
    assert.isAbove(before.length, 40)
    const as = strangers[who] ?? {}
    // Whose session ends here would learn nothing more for another reason.
    const asked = guarded.filter(([name, endpoint]) => canAsk(endpoint) && !/^(signOut|endOtherSessions)$/.test(name))
    for (const [name, endpoint] of asked) {
      const foreign = pathIn(owner, endpoint)
      const unknown = { ...owner, ids: guessed(owner.ids) }
      for (const own of ['a key', 'a session'].includes(who) ? [{}, { storeId: stranger.storeId }] : [{}]) {
        const heard = await ask(endpoint, { ...foreign, ...own }, as, owner)
        const guess = await ask(endpoint, { ...pathIn(unknown, endpoint), ...own }, as, unknown)
        assertSilent(`${name} ${JSON.stringify(own)}`, heard)
        assert.isBelow(heard.status, 500, name)
        const namesTheirs = tokensOf(endpoint).some((token) => token.endsWith('Id') && !(token in own))
        // An app asks everybody for consent: who does not own it sees its name.
        if (!namesTheirs || name === 'getConsent') continue
        assert.deepEqual(plain(heard), plain(guess), `${name} ${JSON.stringify(own)}`)
        assert.isAtLeast(heard.status, 400, name)
      }
    }
    assert.deepEqual(await rowsOfOwner(), before)
  })
})

function tokensOf({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, token = '']) => token)
}

test('the buyer of another order learns and changes nothing', async () => {
  const before = await rowsOfOwner()
  for (const [name, endpoint] of all.filter(([, { access }]) => access === 'order')) {
    const { claimedOrderKey = '' } = owner.ids
    for (const orderKey of ['', 'x', owner.orderKey.slice(0, -1), owner.orderKey.toUpperCase(), claimedOrderKey]) {
      const heard = await ask(endpoint, pathIn(owner, endpoint), { orderKey }, owner)
      const guess = await ask(endpoint, pathIn({ ...owner, ids: guessed(owner.ids) }, endpoint), { orderKey }, owner)
      assertSilent(name, heard)
      assert.deepEqual(plain(heard), plain(guess), name)
      assert.equal(heard.status, 404, name)
    }
  }
  assert.deepEqual(await rowsOfOwner(), before)
})

const hiddenFromStaff = [
  ...[`${word} item`, `words ${word}`, 'hooks.example', `buyer-${word}`, `attached ${word}`, `account ${word}`],
  ...[`answered ${word}`, `claimed ${word}`, `rejected ${word}`, `refunded ${word}`, `paid out ${word}`, `new-${word}`],
]

test('the staff see accounts and stores, and no secret of theirs', async () => {
  // What the staff decide about, they are shown: the seller's address, and the words of a report and a flag.
  const secrets = owner.secrets.filter((secret) => secret !== word && secret !== ownerEmail)
  for (const [name, endpoint] of all.filter(([, { access, method }]) => access === 'staff' && method === 'GET')) {
    const heard = await ask(endpoint, pathIn(owner, endpoint), strangers['staff'] ?? {}, owner)
    assert.equal(heard.status, 200, `${name}: ${heard.text}`)
    assertSilent(name, heard, secrets)
    for (const hidden of hiddenFromStaff) {
      const isReport = name === 'listReportsForStaff' && hidden.startsWith('buyer-')
      if (!isReport) assert.notInclude(heard.text, hidden, name)
    }
  }
})

test('the public and guests learn nothing', async () => {
  // A search is answered with what was asked for nowhere; the address of the reporter is the asker's own.
  for (const [name, endpoint] of all.filter(([, { access }]) => access === 'public' || access === 'guest')) {
    if (name === 'listMails') continue
    const path = pathIn(owner, endpoint)
    for (const ids of [path, { ...path, productId: owner.ids['hiddenProductId'] ?? '' }]) {
      assertSilent(name, await ask(endpoint, ids, {}, { ...owner, ids }))
    }
  }
  const label = owner.ids['storeUrl'] ?? ''
  const host = `${label}.${server.platform.config.storeDomain}`
  const own = owner.secrets.filter((secret) => !host.includes(secret.toLowerCase()))
  const pages = [
    '/',
    '/basket',
    '/reviews',
    '/contact',
    `/checkout/${owner.ids['orderId']}`,
    '/sitemap.xml',
    '/robots.txt',
  ]
  for (const url of pages) assertSilent(url, await line.ask({ method: 'GET', url, host }), own)
})
