import { listStoreActs } from '@keystall/contract/endpoints/audit-log'
import { createCoupon } from '@keystall/contract/endpoints/coupons'
import * as contract from '@keystall/contract/endpoints/members'
import { listOrders } from '@keystall/contract/endpoints/orders'
import { listProducts } from '@keystall/contract/endpoints/products'
import { getStore, updateStore } from '@keystall/contract/endpoints/stores'
import { getUser } from '@keystall/contract/endpoints/user'
import { scopeNames } from '@keystall/contract/scopes'
import { sql } from 'kysely'
import { assert, describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aKey, aSeller, aUser, type Seller, testPassword } from '#test/factories'
import { call, useServer } from '#test/harness'
import { aMember, linkTo } from '#test/members'
import { cookiesOf, lastMailTo, signedIn } from '#test/people'

const server = useServer({ hasJobs: false })
const emails = () => `invited${newId()}@example.com`

const invite = (seller: Seller, body: unknown) => seller.call(contract.inviteMember, { body })
const accept = (cookie: string, body: unknown) => call(server, contract.acceptInvitation, { body }, { cookie })

describe('POST /stores/{storeId}/members/invitations', () => {
  test('sends a link that is good for seven days, and is listed until it is accepted', async () => {
    const seller = await aSeller(server)
    const emailAddress = emails()
    const invited = await invite(seller, { emailAddress, scopes: ['stores.products.view', 'ViewStores'] })
    const mail = await lastMailTo(server, emailAddress)
    const { data } = await seller.call(contract.listMembers)

    assert.deepInclude(invited.data, {
      emailAddress,
      scopes: ['ViewStores', 'ViewProducts'],
      invitedBy: seller.user.userName,
      isExpired: false,
    })
    assert.approximately(new Date(invited.data.expiresAt).getTime() - Date.now(), 7 * 86_400_000, 120_000)
    assert.include(mail.text, '/invitation?store=')
    assert.include(mail.text, 'See its products')
    assert.deepEqual(data.invitations, [invited.data])
    assert.deepEqual(
      data.members.map(({ id, isOwner, scopes }) => [id, isOwner, scopes.length]),
      [[seller.user.id, true, scopeNames.length]],
    )
  })

  test('an address is invited once, and who works there is not invited', async () => {
    const seller = await aSeller(server)
    const emailAddress = emails()
    await invite(seller, { emailAddress, scopes: ['ViewStores'] })
    const member = await aMember(server, seller, ['ViewStores'])
    for (const known of [emailAddress.toUpperCase(), seller.user.emailAddress, member.user.emailAddress]) {
      const refused = await invite(seller, { emailAddress: known, scopes: ['ViewStores'] })
      assert.equal(refused.refused?.status, 409, known)
    }
  })

  test('ten at once to one address: one invitation', async () => {
    const seller = await aSeller(server)
    const body = { emailAddress: emails(), scopes: ['ViewStores'] }
    const answers = await Promise.all(Array.from({ length: 10 }, () => invite(seller, body)))
    assert.lengthOf(
      answers.filter(({ status }) => status === 200),
      1,
    )
  })

  test('what is not an address, no scope or an unknown one is refused by name', async () => {
    const seller = await aSeller(server)
    const wrong = await invite(seller, { emailAddress: 'nobody', scopes: [] })
    const unknown = await invite(seller, { emailAddress: emails(), scopes: ['ViewStores', 'Everything'] })
    assert.sameMembers(Object.keys(wrong.refused?.fields ?? {}), ['emailAddress', 'scopes'])
    assert.deepEqual(unknown.refused?.fields, { 'scopes.1': 'is not a scope' })
  })

  test('nobody gives more than they may do, by session or by key', async () => {
    const seller = await aSeller(server)
    const { user, cookie } = await aMember(server, seller, ['UpdateStores', 'ViewStores'])
    const path = { storeId: seller.storeId }
    const asking = (scopes: string[]) => ({ path, body: { emailAddress: emails(), scopes } })
    const more = await call(server, contract.inviteMember, asking(['ViewStores', 'ViewOrders']), { cookie })
    const same = await call(server, contract.inviteMember, asking(['UpdateStores']), { cookie })
    const apiKey = await aKey(server, seller.user, { scopes: ['UpdateStores'] })
    const byKey = await call(server, contract.inviteMember, asking(['ViewOrders']), { apiKey })
    const memberKey = await aKey(server, user)
    const byMember = await call(server, contract.inviteMember, asking(['ViewOrders']), { apiKey: memberKey })

    assert.deepEqual(more.refused?.fields, { 'scopes.1': 'is more than you may do yourself' })
    assert.equal(same.status, 200)
    assert.deepEqual([byKey.refused?.status, byMember.refused?.status], [400, 400])
  })
})

describe('POST /invitations/accept', () => {
  test('gives exactly the scopes: all else is 403, and other stores are unknown', async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    const { user, cookie } = await aMember(server, seller, ['ViewStores', 'ViewProducts'])
    const apiKey = await aKey(server, user)
    for (const credentials of [{ cookie }, { apiKey }]) {
      const path = { storeId: seller.storeId, page: 1 }
      const products = await call(server, listProducts, { path }, credentials)
      const orders = await call(server, listOrders, { path }, credentials)
      const coupon = await call(server, createCoupon, { path, body: { name: 'MINE' } }, credentials)
      const foreign = await call(server, listProducts, { path: { storeId: other.storeId, page: 1 } }, credentials)
      assert.deepEqual([products.status, orders.status, coupon.status, foreign.status], [200, 403, 403, 404])
      const { data } = await call(server, getUser, {}, credentials)
      assert.deepEqual(
        data.stores.map(({ id, scopes, webhookSecret, coupons }) => ({ id, scopes, webhookSecret, coupons })),
        [{ id: seller.storeId, scopes: ['ViewStores', 'ViewProducts'], webhookSecret: '', coupons: [] }],
      )
    }
  })

  test('only the invited address accepts, and the link works once', async () => {
    const seller = await aSeller(server)
    const [invited, stranger] = [await aUser(server), await aUser(server)]
    await invite(seller, { emailAddress: invited.emailAddress.toUpperCase(), scopes: ['ViewStores'] })
    const link = await linkTo(server, seller, invited.emailAddress.toUpperCase())
    const [cookie, other] = [await signedIn(server, invited), await signedIn(server, stranger)]

    const foreign = await accept(other, link)
    const wrong = await accept(cookie, { ...link, token: 'nonsense' })
    const elsewhere = await accept(cookie, { ...link, storeId: newId() })
    const first = await accept(cookie, link)
    const second = await accept(cookie, link)

    assert.deepEqual(
      [foreign.status, wrong.status, elsewhere.status, first.status, second.status],
      [409, 400, 400, 200, 400],
    )
    const joined = await lastMailTo(server, seller.user.emailAddress)
    assert.include(joined.subject, `${invited.userName} has joined`)
  })

  test('a link that was withdrawn, sent again or is too old is refused', async () => {
    const seller = await aSeller(server)
    const user = await aUser(server)
    const cookie = await signedIn(server, user)
    const { data } = await invite(seller, { emailAddress: user.emailAddress, scopes: ['ViewStores'] })
    const path = { invitationId: data.id }
    const old = await linkTo(server, seller, user.emailAddress)
    const soon = await seller.call(contract.resendInvitation, { path })
    await sql`update store_invitations set sent_at = now() - interval '2 minutes', expires_at = now()
      where store_id = ${seller.storeId} and id = ${data.id}`.execute(server.platform.db)
    const expired = await accept(cookie, old)
    const listed = await seller.call(contract.listMembers)
    const again = await seller.call(contract.resendInvitation, { path })
    const former = await accept(cookie, old)
    const present = await linkTo(server, seller, user.emailAddress)
    const withdrawn = await seller.call(contract.withdrawInvitation, { path })
    const late = await accept(cookie, present)
    const gone = await seller.call(contract.withdrawInvitation, { path })

    assert.equal(soon.refused?.status, 429)
    assert.equal(listed.data.invitations[0]?.isExpired, true)
    assert.deepEqual(
      [expired.status, again.status, former.status, withdrawn.status, late.status, gone.status],
      [400, 200, 400, 200, 400, 404],
    )
  })
})

describe('POST /invitations/sign-up', () => {
  test('a new person has an account at once, signed in and in the store', async () => {
    const seller = await aSeller(server)
    const emailAddress = emails()
    await invite(seller, { emailAddress, scopes: ['ViewStores'] })
    const link = await linkTo(server, seller, emailAddress)
    const seen = await call(server, contract.viewInvitation, { body: link })
    assert.deepInclude(seen.data, { emailAddress, hasAccount: false, scopes: ['ViewStores'] })

    const body = { ...link, userName: `new-${newId().slice(-8)}`, password: testPassword }
    const weak = await call(server, contract.signUpByInvitation, { body: { ...body, password: '1234567890' } })
    const done = await call(server, contract.signUpByInvitation, { body })
    const again = await call(server, contract.signUpByInvitation, { body })
    const { data } = await call(server, getUser, {}, { cookie: cookiesOf(done) })

    assert.property(weak.refused?.fields, 'password')
    assert.equal(again.refused?.status, 400)
    assert.deepEqual(
      data.stores.map(({ id, scopes }) => [id, scopes]),
      [[seller.storeId, ['ViewStores']]],
    )
  })

  test('an address with an account is told to sign in, and its password stays', async () => {
    const seller = await aSeller(server)
    const user = await aUser(server)
    await invite(seller, { emailAddress: user.emailAddress, scopes: ['ViewStores'] })
    const link = await linkTo(server, seller, user.emailAddress)
    const seen = await call(server, contract.viewInvitation, { body: link })
    const body = { ...link, userName: `thief-${newId().slice(-8)}`, password: 'another long password' }
    const refused = await call(server, contract.signUpByInvitation, { body })
    assert.equal(seen.data.hasAccount, true)
    assert.equal(refused.refused?.status, 409)
    await signedIn(server, user)
  })
})

describe('PUT /stores/{storeId}/members/{memberId}', () => {
  test('what a member may do changes with the next call', async () => {
    const seller = await aSeller(server)
    const { user, cookie } = await aMember(server, seller, ['ViewStores'])
    const path = { storeId: seller.storeId, page: 1 }
    const before = await call(server, listOrders, { path }, { cookie })
    const changed = await seller.call(contract.updateMember, {
      path: { memberId: user.id },
      body: { scopes: ['ViewOrders'] },
    })
    const after = await call(server, listOrders, { path }, { cookie })
    const store = await call(server, getStore, { path }, { cookie })
    assert.deepEqual([before.status, after.status, store.status], [403, 200, 403])
    assert.deepEqual(changed.data.members[1]?.scopes, ['ViewOrders'])
  })

  test('who may do more than the caller is out of reach, and so is the owner', async () => {
    const seller = await aSeller(server)
    const manager = await aMember(server, seller, ['UpdateStores', 'ViewStores'])
    const strong = await aMember(server, seller, ['UpdateStores', 'DeliverOrders'])
    const change = (memberId: string, scopes: string[], cookie: string) =>
      call(server, contract.updateMember, { path: { storeId: seller.storeId, memberId }, body: { scopes } }, { cookie })
    const remove = (memberId: string, cookie: string) =>
      call(server, contract.removeMember, { path: { storeId: seller.storeId, memberId } }, { cookie })

    const raised = await change(manager.user.id, ['UpdateStores', 'DeliverOrders'], manager.cookie)
    const lowered = await change(strong.user.id, ['UpdateStores'], manager.cookie)
    const removed = await remove(strong.user.id, manager.cookie)
    const owner = await remove(seller.user.id, manager.cookie)
    const ownerBySelf = await seller.call(contract.removeMember, { path: { memberId: seller.user.id } })
    const nobody = await remove(newId(), manager.cookie)

    assert.deepEqual(
      [raised, lowered, removed, owner, ownerBySelf, nobody].map(({ status }) => status),
      [400, 403, 403, 409, 409, 404],
    )
  })
})

describe('DELETE /stores/{storeId}/members/{memberId}', () => {
  test('sessions and keys lose the store at once', async () => {
    const seller = await aSeller(server)
    const { user, cookie } = await aMember(server, seller, ['ViewStores', 'ViewProducts'])
    const apiKey = await aKey(server, user, { storeIds: [seller.storeId] })
    const path = { storeId: seller.storeId, page: 1 }
    const statuses = async () =>
      Promise.all([{ cookie }, { apiKey }].map(async (who) => (await call(server, listProducts, { path }, who)).status))
    assert.deepEqual(await statuses(), [200, 200])
    const removed = await seller.call(contract.removeMember, { path: { memberId: user.id } })
    assert.deepEqual(await statuses(), [404, 404])
    const { data } = await call(server, getUser, {}, { cookie })
    assert.deepEqual(data.stores, [])
    assert.lengthOf(removed.data.members, 1)
  })
})

describe('DELETE /memberships/{storeId}', () => {
  test('a member leaves; the owner cannot; a stranger finds nothing', async () => {
    const seller = await aSeller(server)
    const { cookie } = await aMember(server, seller, ['ViewStores'])
    const owner = await signedIn(server, seller.user)
    const leave = (who: string) =>
      call(server, contract.leaveStore, { path: { storeId: seller.storeId } }, { cookie: who })
    const [own, first, second] = [await leave(owner), await leave(cookie), await leave(cookie)]
    assert.deepEqual([own.status, first.status, second.status], [409, 200, 404])
  })
})

describe('the audit log', () => {
  test('knows what members do, who came and who was sent away', async () => {
    const seller = await aSeller(server)
    const { user, cookie } = await aMember(server, seller, ['UpdateStores', 'ViewStores'])
    const { data } = await seller.call(getStore)
    const path = { storeId: seller.storeId }
    await call(server, updateStore, { path, body: { name: 'Renamed', url: data.url } }, { cookie })
    await seller.call(contract.removeMember, { path: { memberId: user.id } })
    const { reply } = await seller.call(listStoreActs, { path: { page: 1 } })
    assert.deepEqual(
      reply.data.map(({ act, role, userName, subjectName }) => [act, role, userName, subjectName]),
      [
        ['removeMember', 'owner', seller.user.userName, user.userName],
        ['updateStore', 'member', user.userName, 'Renamed'],
        ['acceptInvitation', 'member', user.userName, null],
        ['inviteMember', 'owner', seller.user.userName, user.emailAddress],
        ['createStore', 'owner', seller.user.userName, data.name],
      ],
    )
  })
})
