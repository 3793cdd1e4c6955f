import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/account'
import { getUser } from '@keystall/contract/endpoints/user'
import { describe, test } from 'vitest'
import { aKey, aUser, testPassword } from '#test/factories'
import { call, useServer } from '#test/harness'
import { lastMailTo, signedIn, tokenIn } from '#test/people'
import type { UserRow } from './tables.ts'

const server = useServer()
const newPassword = 'a brand new violet'

const signIn = (user: UserRow, password: string, emailAddress = user.emailAddress) =>
  call(server, contract.signIn, { body: { emailAddress, password } })

async function resetLink(user: UserRow): Promise<string> {
  await call(server, contract.forgetPassword, { body: { emailAddress: user.emailAddress } })
  return tokenIn(await lastMailTo(server, user.emailAddress))
}

describe('POST /account/password/forgot', () => {
  test('the answer does not tell whether the address is known, and the link leads to our own host', async () => {
    const user = await aUser(server)
    const known = await call(server, contract.forgetPassword, {
      body: { emailAddress: user.emailAddress },
      headers: { 'x-forwarded-host': 'evil.example' },
    })
    const unknown = await call(server, contract.forgetPassword, { body: { emailAddress: 'nobody@example.com' } })
    assert.deepEqual(known.body, unknown.body)
    const { text } = await lastMailTo(server, user.emailAddress)
    assert.ok(text.includes(`${server.platform.config.dashUrl.origin}/reset-password?token=`))
  })
})

describe('POST /account/password/reset', () => {
  test('the link is good once, ends all sessions, and leaves keys alone unless asked', async () => {
    const user = await aUser(server)
    const [cookie, apiKey, token] = [await signedIn(server, user), await aKey(server, user), await resetLink(user)]
    const reset = await call(server, contract.resetPassword, { body: { token, password: newPassword } })
    assert.equal(reset.status, 200)

    assert.equal((await call(server, contract.getAccount, {}, { cookie })).refused?.status, 401)
    assert.equal((await signIn(user, testPassword)).refused?.status, 401)
    assert.equal((await signIn(user, newPassword)).status, 200)
    assert.equal((await call(server, getUser, {}, { apiKey })).status, 200)
    const again = await call(server, contract.resetPassword, { body: { token, password: 'yet another violet' } })
    assert.deepEqual(again.refused?.fields, { token: 'is used, too old or incomplete' })
  })

  test('ten at once set one password', async () => {
    const user = await aUser(server)
    const token = await resetLink(user)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        call(server, contract.resetPassword, { body: { token, password: `violet tractor ${number}` } }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('keys are revoked when asked', async () => {
    const user = await aUser(server)
    const [apiKey, token] = [await aKey(server, user), await resetLink(user)]
    await call(server, contract.resetPassword, { body: { token, password: newPassword, revokeKeys: true } })
    assert.equal((await call(server, getUser, {}, { apiKey })).refused?.status, 401)
  })

  test('an old link, a former one and one for something else are refused', async () => {
    const user = await aUser(server)
    const former = await resetLink(user)
    const token = await resetLink(user)
    const set = (text: string) => call(server, contract.resetPassword, { body: { token: text, password: newPassword } })
    assert.equal((await set(former)).refused?.status, 400)
    const { db } = server.platform
    await db
      .updateTable('accountTokens')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('userId', '=', user.id)
      .execute()
    assert.equal((await set(token)).refused?.status, 400)
    const other = await resetLink(user)
    assert.equal((await call(server, contract.confirmAccount, { body: { token: other } })).refused?.status, 400)
    assert.equal((await call(server, contract.confirmEmail, { body: { token: other } })).refused?.status, 400)
    assert.equal((await set(other)).status, 200)
  })

  test('the link ends fifteen minutes after it was asked for, and is stored hashed', async () => {
    const user = await aUser(server)
    const token = await resetLink(user)
    const row = await server.platform.db
      .selectFrom('accountTokens')
      .selectAll()
      .where('userId', '=', user.id)
      .executeTakeFirstOrThrow()
    assert.equal(row.expiresAt.getTime() - row.dateCreated.getTime(), 15 * 60_000)
    assert.ok(!JSON.stringify(row).includes(token))
  })

  test('a weak password is refused and the link stays good', async () => {
    const user = await aUser(server)
    const token = await resetLink(user)
    assert.equal(
      (await call(server, contract.resetPassword, { body: { token, password: 'password123' } })).refused?.status,
      400,
    )
    assert.equal((await call(server, contract.resetPassword, { body: { token, password: newPassword } })).status, 200)
  })
})

describe('PUT /account/password', () => {
  test('the present password is asked, other sessions end, keys when asked', async () => {
    const user = await aUser(server)
    const [mine, other, apiKey] = [await signedIn(server, user), await signedIn(server, user), await aKey(server, user)]
    const change = (currentPassword: string) =>
      call(
        server,
        contract.changePassword,
        { body: { currentPassword, newPassword, revokeKeys: true } },
        { cookie: mine },
      )
    assert.deepEqual((await change('not it at all')).refused?.fields, { currentPassword: 'is wrong' })
    assert.equal((await call(server, getUser, {}, { apiKey })).status, 200)

    assert.equal((await change(testPassword)).status, 200)
    assert.equal((await call(server, contract.getAccount, {}, { cookie: mine })).status, 200)
    assert.equal((await call(server, contract.getAccount, {}, { cookie: other })).refused?.status, 401)
    assert.equal((await call(server, getUser, {}, { apiKey })).refused?.status, 401)
    assert.equal((await lastMailTo(server, user.emailAddress)).subject, 'Your password was changed')
  })

  test('an old session that guesses the password is slowed', async () => {
    const user = await aUser(server)
    const cookie = await signedIn(server, user)
    const guess = () =>
      call(server, contract.changePassword, { body: { currentPassword: 'not it at all', newPassword } }, { cookie })
    assert.equal((await guess()).refused?.status, 400)
    await server.platform.db
      .updateTable('signInFailures')
      .set({ failures: 30 })
      .where('name', '=', `proof:${user.id}`)
      .execute()
    assert.equal((await guess()).refused?.status, 429)
  })
})

describe('PUT /account/email', () => {
  test('the new address counts once it is confirmed, and the old one hears of it first', async () => {
    const user = await aUser(server)
    const cookie = await signedIn(server, user)
    const emailAddress = `moved-${user.emailAddress}`
    const wrong = await call(
      server,
      contract.changeEmail,
      { body: { emailAddress, password: 'not it at all' } },
      { cookie },
    )
    assert.deepEqual(wrong.refused?.fields, { password: 'is wrong' })
    const asked = await call(
      server,
      contract.changeEmail,
      { body: { emailAddress, password: testPassword } },
      { cookie },
    )
    assert.equal(asked.data.emailAddress, user.emailAddress)
    assert.equal(asked.data.pendingEmailAddress, emailAddress)
    assert.equal((await lastMailTo(server, user.emailAddress)).subject, 'Your e-mail address is about to change')

    const token = tokenIn(await lastMailTo(server, emailAddress))
    assert.equal((await call(server, contract.confirmEmail, { body: { token } })).status, 200)
    assert.equal((await signIn(user, testPassword)).refused?.status, 401)
    assert.equal((await signIn(user, testPassword, emailAddress)).status, 200)
    const account = await call(server, contract.getAccount, {}, { cookie })
    assert.equal(account.data.pendingEmailAddress, null)
  })

  test('a new password voids the change, and an address of another account is not taken', async () => {
    const [user, other] = [await aUser(server), await aUser(server)]
    const cookie = await signedIn(server, user)
    const ask = (emailAddress: string) =>
      call(server, contract.changeEmail, { body: { emailAddress, password: testPassword } }, { cookie })
    await ask(other.emailAddress)
    const taken = tokenIn(await lastMailTo(server, other.emailAddress))
    assert.equal((await call(server, contract.confirmEmail, { body: { token: taken } })).refused?.status, 400)

    await ask('thief@example.com')
    const token = tokenIn(await lastMailTo(server, 'thief@example.com'))
    await call(server, contract.resetPassword, { body: { token: await resetLink(user), password: newPassword } })
    assert.equal((await call(server, contract.confirmEmail, { body: { token } })).refused?.status, 400)
  })
})
