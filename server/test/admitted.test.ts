import { createServer, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { type Scope, scopeNames } from '@keystall/contract/scopes'
import { afterAll, assert, beforeAll, describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { createListener } from '#platform/http/server'
import type { UserRow } from '#account/tables'
import { anApp, aCode, exchange } from './consent.ts'
import { aKey, aUser, testPassword } from './factories.ts'
import { type Furnished, furnish, pathIn, plant, png } from './furnished.ts'
import { useServer } from './harness.ts'
import { endpointsInOrder, lastOfAll } from './hostile.ts'
import { askingFor, type Credentials, Line } from './line.ts'
import { multipart, multipartType } from './multipart.ts'
import { signedIn } from './people.ts'
import { sampleOf } from './sample.ts'

// The other half of access.test.ts: whoever may do something can do it to what is there, and nobody who lacks just that
// permission. What is answered otherwise than with success is named, so that nobody is let in by a mistake in a test.

const node = await aNode()
const server = useServer({ hasJobs: false, env: { ETHEREUM_URL: node.url, RATES: 'ETH-USD=2000' } })
let listener: Server
let line: Line

const knownAddress = 'known@example.com'

/** What stands in a way, where it is neither who asks nor what is not there. */
const otherwise: Record<string, number> = {
  // As the order is, or what it was paid by.
  cancelOrder: 409,
  cancelOwnOrder: 409,
  payOrder: 409,
  rejectPayment: 409,
  payOutAffiliate: 409,
  reviewProduct: 409,
  sendCreditCode: 409,
  spendCredit: 409,
  // There are no coins.
  startSweep: 409,
  // It is for more than the permission alone.
  resendInvitation: 400,
  // Its receiver is nowhere.
  resendWebhookAttempt: 409,
  // Only a mail, a receipt of a payment processor or an authenticator app has what is asked for.
  confirmAccount: 400,
  confirmEmail: 400,
  resetPassword: 400,
  viewInvitation: 400,
  signUpByInvitation: 400,
  acceptInvitation: 400,
  enableTwoFactor: 400,
  signInWithCode: 401,
  exchangeCode: 401,
  hearPaymentNotice: 404,
  // The second factor is off, the store is one's own, no app was let in, no domain is proven.
  disableTwoFactor: 409,
  renewRecoveryCodes: 409,
  leaveStore: 409,
  disconnectApp: 404,
  checkTlsDomain: 404,
}

/** Coins leave by a password, which a key does not have. */
const withoutPassword: Record<string, number> = { startSweep: 403 }

/** Where a sample of the form would be refused for what it says. */
const forms: Record<string, (ids: Record<string, string>) => object> = {
  createStore: () => ({ url: `other${newId().slice(-8)}`, featuredProductId: null }),
  createCoupon: () => ({ name: 'ANOTHER' }),
  createCustomerBlock: () => ({ kind: 'email', value: 'somebody@example.com' }),
  createKey: () => ({ allowedAddresses: [] }),
  eraseCustomer: ({ query }) => ({ emailAddress: query }),
  inviteMember: () => ({ scopes: ['UpdateStores'] }),
  updateMember: () => ({ scopes: ['UpdateStores'] }),
  openTicket: () => ({ attachmentIds: [], previousTicketId: null }),
  replyToOwnTicket: () => ({ attachmentIds: [] }),
  replyToTicket: () => ({ attachmentIds: [] }),
  reportStore: () => ({ orderId: null, orderKey: null }),
  savePaymentSettings: () => ({ settings: { email: 'paid@example.com' }, password: testPassword }),
  startSweep: () => ({ password: testPassword }),
  signIn: () => ({ emailAddress: knownAddress, password: testPassword }),
  signUp: () => ({ emailAddress: 'new@example.com', userName: 'newcomer', password: testPassword }),
  arrangeProductImages: ({ imageNames = '' }) => ({ imageNames: imageNames.split(' ') }),
  updateStore: () => ({ url: `other${newId().slice(-8)}` }),
  changePassword: () => ({ currentPassword: testPassword, newPassword: `${testPassword} again` }),
  beginTwoFactor: () => ({ password: testPassword }),
  changeEmail: () => ({ password: testPassword }),
  disableTwoFactor: () => ({ password: testPassword }),
  renewRecoveryCodes: () => ({ password: testPassword }),
}
const queries: Record<string, string> = { sendFilePart: 'offset=0', checkTlsDomain: 'domain=shop.example' }

/** Paid by hand, and not yet. */
const ofClaimedOrder = [
  'getPaymentByHand',
  'claimPayment',
  'attachProof',
  'confirmPayment',
  'rejectPayment',
  'payOrder',
]

/** Things go before what they are in. */
const inOrder = endpointsInOrder().toSorted(([oneName, one], [otherName, other]) =>
  one.method === 'DELETE' && other.method === 'DELETE' && !lastOfAll.includes(oneName) && !lastOfAll.includes(otherName)
    ? other.path.split('/').length - one.path.split('/').length
    : 0,
)

beforeAll(async () => {
  listener = createListener(server.app.handle)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { apiUrl, dashUrl } = server.platform.config
  line = new Line({ port: Object(listener.address()).port, api: apiUrl.host, dash: dashUrl.host })
})

afterAll(() => {
  line.close()
  listener.closeAllConnections()
  listener.close()
  node.stop()
})

/** A node of a chain on which nothing is and nothing happens. */
async function aNode() {
  const answer = (asked: unknown) => ({ jsonrpc: '2.0', id: Object(asked)['id'], result: '0x1' })
  const server = createServer(async (request, response) => {
    const asked: unknown = await json(request)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${Object(server.address()).port}`, stop: () => server.close() }
}

/** A seller with one of everything, a member who may do nothing, and what only jobs and the staff would make. */
async function aFurnishedSeller() {
  const user = await aUser(server)
  const seller = { apiKey: await aKey(server, user), cookie: await signedIn(server, user) }
  const own = await furnish(line, seller, 'admittedWord')
  const { ids } = own
  const made = { isMadeHere: true, confirmations: '1' }
  const path = { ...ids, method: 'ethereum' }
  await plant(
    line,
    { ...own, ids: path },
    endpoints.savePaymentSettings,
    { settings: made, password: testPassword },
    seller,
  )
  const { db } = server.platform
  const storeId = ids['storeId'] ?? ''
  const member = await aUser(server)
  await db.insertInto('storeMembers').values({ storeId, userId: member.id, scopes: [] }).execute()
  const delivery = {
    storeId,
    id: newId(),
    lane: 'x',
    kind: 'event',
    type: 'x',
    messageId: newId(),
    body: '{}',
  } as const
  await db
    .insertInto('webhookDeliveries')
    .values({ ...delivery, subjectId: null })
    .execute()
  const attempt = { storeId, id: newId(), deliveryId: delivery.id, attempt: 1, url: 'https://hooks.example/' }
  const outcome = { isSuccess: false, status: null, durationMilliseconds: 1, answer: null, failure: 'x' }
  await db
    .insertInto('webhookAttempts')
    .values({ ...attempt, ...outcome })
    .execute()
  Object.assign(ids, { memberId: member.id, attemptId: attempt.id })
  return { user, seller, own }
}

function ask([name, endpoint]: [string, Endpoint], own: Furnished, as: Credentials) {
  const { ids } = own
  const { claimedOrderId = '', claimedOrderKey = '' } = ids
  const isOfClaimed = ofClaimedOrder.includes(name)
  const path = {
    ...pathIn(own, endpoint),
    ...(isOfClaimed ? { orderId: claimedOrderId } : {}),
    ...(endpoint.path.includes('sweeps') ? { method: 'ethereum' } : {}),
  }
  const sample = endpoint.body && sampleOf(Object(endpoint.body), own)
  const form = forms[name] ? { ...Object(sample), ...forms[name](ids) } : sample
  const body = endpoint.upload
    ? multipart([{ name: endpoint.upload.part, content: png, fileName: 'a.png' }])
    : form && JSON.stringify(form)
  const headers = endpoint.upload ? { 'content-type': multipartType } : {}
  const credentials = isOfClaimed && as.orderKey !== undefined ? { orderKey: claimedOrderKey } : as
  const input = { path, query: queries[name] ?? '', body, headers }
  return line.ask(askingFor(line.address, endpoint, input, credentials))
}

/** All of them, one after the other; what was answered otherwise than it should be. */
async function askAll(
  asked: [string, Endpoint][],
  own: Furnished,
  as: (endpoint: Endpoint, name: string) => Credentials | Promise<Credentials>,
  exceptions: Record<string, number> = {},
): Promise<string[]> {
  const wrong: string[] = []
  for (const [name, endpoint] of asked) {
    const expected = exceptions[name] ?? otherwise[name] ?? 200
    const { status, text } = await ask([name, endpoint], own, await as(endpoint, name))
    if (status !== expected) wrong.push(`${name} ${status}, not ${expected}: ${text.slice(0, 200)}`)
    if (status === 200) learn(name, own, text)
  }
  return wrong
}

/** What comes later has to name what was made here. */
function learn(name: string, { ids }: Furnished, text: string): void {
  const { files, imageNames } = Object(Object(text.startsWith('{') && JSON.parse(text))['data'])
  if (name === 'replaceProductFile') ids['fileId'] = files[0].id
  if (name === 'addProductImage') ids['imageNames'] = imageNames.join(' ')
}

const withAccess = (...accesses: string[]) => inOrder.filter(([, { access }]) => accesses.includes(access))
const ofStores = withAccess(...scopeNames)

describe('with the permission alone, and not with all others,', () => {
  test('a key is let in', async () => {
    const { user, own } = await aFurnishedSeller()
    const keys = new Map<string, Promise<string>>()
    const as = async (scopes: Scope[]) => {
      const name = scopes.join(' ')
      const apiKey = keys.get(name) ?? aKey(server, user, { scopes })
      keys.set(name, apiKey)
      return { apiKey: await apiKey }
    }
    await assertAdmits(ofStores, own, as, withoutPassword)
  })

  test('an app is let in', async () => {
    const { user, own } = await aFurnishedSeller()
    const app = await anApp(server, { scopes: [...scopeNames] })
    const { data: apiKey } = await exchange(server, app, await aCode(server, app, user))
    const as = async (scopes: Scope[]) => {
      await server.platform.db.updateTable('apps').set({ scopes }).where('id', '=', app.appId).execute()
      return { apiKey }
    }
    await assertAdmits(ofStores, own, as, withoutPassword)
  })

  test.each(['by a session', 'by a key'])('a member is let in, %s', async (means) => {
    const { own } = await aFurnishedSeller()
    const member = await aUser(server)
    const row = { storeId: own.ids['storeId'] ?? '', userId: member.id }
    await server.platform.db
      .insertInto('storeMembers')
      .values({ ...row, scopes: [] })
      .execute()
    const isBySession = means === 'by a session'
    const credentials = isBySession
      ? { cookie: await signedIn(server, member) }
      : { apiKey: await aKey(server, member) }
    const as = async (scopes: Scope[]) => {
      await server.platform.db.updateTable('storeMembers').set({ scopes }).where('userId', '=', member.id).execute()
      return credentials
    }
    const inStores = ofStores.filter(([, { path }]) => path.includes('{storeId}'))
    await assertAdmits(inStores, own, as, isBySession ? {} : withoutPassword)
  })
})

async function assertAdmits(
  asked: [string, Endpoint][],
  own: Furnished,
  as: (scopes: Scope[]) => Promise<Credentials>,
  exceptions: Record<string, number> = {},
): Promise<void> {
  const refusals = Object.fromEntries(asked.map(([name]) => [name, 403]))
  const allBut = ({ access }: Endpoint) => as(scopeNames.filter((scope) => scope !== access))
  assert.deepEqual(await askAll(asked, own, allBut, refusals), [])
  const alone = ({ access }: Endpoint) => as(scopeNames.filter((scope) => scope === access))
  assert.deepEqual(await askAll(asked, own, alone, exceptions), [])
}

describe('without a permission', () => {
  let user: UserRow
  let seller: { cookie: string }
  let own: Furnished
  beforeAll(async () => {
    ;({ user, seller, own } = await aFurnishedSeller())
  })

  test('anybody is let in where everybody may be', async () => {
    await aUser(server, { emailAddress: knownAddress })
    assert.deepEqual(await askAll(withAccess('public', 'guest'), own, () => ({})), [])
  })

  test('a buyer is let in with the key of the order', async () => {
    assert.deepEqual(await askAll(withAccess('order'), own, () => ({ orderKey: own.orderKey })), [])
  })

  test('a person is let in by a session', async () => {
    const changingPassword = 'changePassword'
    const others = withAccess('session').filter(([name]) => name !== changingPassword)
    const as = async (_: Endpoint, name: string) =>
      lastOfAll.includes(name) ? { cookie: await signedIn(server, user) } : seller
    assert.deepEqual(await askAll([...others, [changingPassword, endpoints.changePassword]], own, as), [])
  })

  test('the staff are let in', async () => {
    const staff = { cookie: await signedIn(server, await aUser(server, { isStaff: true })) }
    const listed = async (endpoint: Endpoint) => (await plant(line, own, endpoint, undefined, staff))[0].id
    own.ids['flagId'] = await listed(endpoints.listFlagsForStaff)
    own.ids['reportId'] = await listed(endpoints.listReportsForStaff)
    assert.deepEqual(await askAll(withAccess('staff'), own, () => staff, { enableUser: 409 }), [])
  })
})
