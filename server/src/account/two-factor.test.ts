import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/account'
import * as twoFactor from '@keystall/contract/endpoints/two-factor'
import { generateSync } from 'otplib'
import { describe, test } from 'vitest'
import { aUser, testPassword } from '#test/factories'
import { call, useServer } from '#test/harness'
import { cookiesOf, lastMailTo, signedIn, tokenIn } from '#test/people'
import type { UserRow } from './tables.ts'

const server = useServer()
const password = testPassword

/** The code of a moment some steps from now. The first enables, the next signs in: each is good once. */
const codeOf = (secret: string, steps: number) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })

async function aProtectedUser() {
  const user = await aUser(server)
  const cookie = await signedIn(server, user)
  const begun = await call(server, twoFactor.beginTwoFactor, { body: { password } }, { cookie })
  const { secret } = begun.data
  const enabled = await call(server, twoFactor.enableTwoFactor, { body: { code: codeOf(secret, 0) } }, { cookie })
  return { user, cookie, secret, recoveryCodes: enabled.data.recoveryCodes, begun }
}

const beginSignIn = (user: UserRow) =>
  call(server, contract.signIn, { body: { emailAddress: user.emailAddress, password } })

const finishSignIn = (cookie: string, code: string) =>
  call(server, contract.signInWithCode, { body: { code }, headers: { cookie } })

describe('POST /account/two-factor', () => {
  test('a secret does nothing before its first code', async () => {
    const user = await aUser(server)
    const cookie = await signedIn(server, user)
    const wrong = await call(server, twoFactor.beginTwoFactor, { body: { password: 'not it at all' } }, { cookie })
    assert.deepEqual(wrong.refused?.fields, { password: 'is wrong' })
    const begun = await call(server, twoFactor.beginTwoFactor, { body: { password } }, { cookie })
    assert.match(begun.data.uri, /^otpauth:\/\/totp\/Keystall/)
    assert.match(begun.data.qrCode, /^<svg/)
    assert.equal((await beginSignIn(user)).data.isTwoFactorRequired, false)
    const bad = await call(server, twoFactor.enableTwoFactor, { body: { code: '000000' } }, { cookie })
    assert.equal(bad.refused?.status, 400)
    const row = await server.platform.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    assert.ok(!row.totpSecret?.toString('latin1').includes(begun.data.secret))
  })
})

describe('POST /account/sign-in/code', () => {
  test('there is no session before the second factor', async () => {
    const { user, secret } = await aProtectedUser()
    const begun = await beginSignIn(user)
    assert.equal(begun.data.isTwoFactorRequired, true)
    assert.ok(!cookiesOf(begun).includes('keystall_session'))
    const half = /keystall_sign_in=([^;]+)/.exec(cookiesOf(begun))?.[1]
    const skipped = await call(server, contract.getAccount, {}, { cookie: `keystall_session=${half}` })
    assert.equal(skipped.refused?.status, 401)

    const done = await finishSignIn(cookiesOf(begun), codeOf(secret, 1))
    assert.equal(done.status, 200)
    assert.equal(
      (await call(server, contract.getAccount, {}, { cookie: cookiesOf(done) })).data.isTwoFactorEnabled,
      true,
    )
  })

  test('each code works once, also for two at the same moment', async () => {
    const { user, secret } = await aProtectedUser()
    const [one, two] = [await beginSignIn(user), await beginSignIn(user)]
    const code = codeOf(secret, 1)
    const answers = await Promise.all([finishSignIn(cookiesOf(one), code), finishSignIn(cookiesOf(two), code)])
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 400]))
    const third = await finishSignIn(cookiesOf(await beginSignIn(user)), code)
    assert.equal(third.refused?.status, 400)
  })

  test('a code is good one step to either side and no further', async () => {
    const { user, secret } = await aProtectedUser()
    const half = cookiesOf(await beginSignIn(user))
    assert.equal((await finishSignIn(half, codeOf(secret, 3))).refused?.status, 400)
    assert.equal((await finishSignIn(half, codeOf(secret, -3))).refused?.status, 400)
    assert.equal((await finishSignIn(half, codeOf(secret, 1))).status, 200)
  })

  test('guessing ends after five tries, even when signing in anew', async () => {
    const { user, secret } = await aProtectedUser()
    const half = cookiesOf(await beginSignIn(user))
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, number) => finishSignIn(half, `${100_000 + number}`)),
    )
    assert.equal(guesses.filter(({ status }) => status === 400).length, 5)
    assert.equal((await finishSignIn(half, codeOf(secret, 1))).refused?.status, 401)
    const anew = await finishSignIn(cookiesOf(await beginSignIn(user)), codeOf(secret, 1))
    assert.equal(anew.refused?.status, 429)
  })

  test('a half-done sign-in ends after five minutes, and with a new password', async () => {
    const { user, secret } = await aProtectedUser()
    const half = cookiesOf(await beginSignIn(user))
    const { db } = server.platform
    await db
      .updateTable('accountTokens')
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where('userId', '=', user.id)
      .execute()
    assert.equal((await finishSignIn(half, codeOf(secret, 1))).refused?.status, 401)

    const other = cookiesOf(await beginSignIn(user))
    await call(server, contract.forgetPassword, { body: { emailAddress: user.emailAddress } })
    const token = tokenIn(await lastMailTo(server, user.emailAddress))
    const reset = await call(server, contract.resetPassword, { body: { token, password: 'a brand new violet' } })
    assert.ok(!cookiesOf(reset).match(/keystall_session=[^;]/))
    assert.equal((await finishSignIn(other, codeOf(secret, 1))).refused?.status, 401)
  })

  test('a recovery code works once, in any spelling', async () => {
    const { user, recoveryCodes, cookie } = await aProtectedUser()
    assert.equal(recoveryCodes.length, 10)
    const [code = ''] = recoveryCodes
    assert.equal(
      (await finishSignIn(cookiesOf(await beginSignIn(user)), code.toUpperCase().replaceAll('-', ' '))).status,
      200,
    )
    assert.equal((await finishSignIn(cookiesOf(await beginSignIn(user)), code)).refused?.status, 400)
    assert.equal((await call(server, contract.getAccount, {}, { cookie })).data.recoveryCodesLeft, 9)
    const rows = await server.platform.db
      .selectFrom('recoveryCodes')
      .select('codeHash')
      .where('userId', '=', user.id)
      .execute()
    assert.ok(rows.every(({ codeHash }) => codeHash.length === 32))
  })
})

describe('POST /account/two-factor/disable', () => {
  test('password and code are asked again', async () => {
    const { user, cookie, secret } = await aProtectedUser()
    const disable = (body: unknown) => call(server, twoFactor.disableTwoFactor, { body }, { cookie })
    assert.equal((await disable({ password, code: '123456' })).refused?.status, 400)
    assert.equal((await disable({ password: 'not it at all', code: codeOf(secret, 1) })).refused?.status, 400)
    assert.equal((await disable({ password, code: codeOf(secret, 1) })).status, 200)
    assert.equal((await beginSignIn(user)).data.isTwoFactorRequired, false)
  })

  test('e-mail and password change ask for the code too', async () => {
    const { cookie, secret } = await aProtectedUser()
    const emailAddress = 'other-address@example.com'
    const without = await call(server, contract.changeEmail, { body: { emailAddress, password } }, { cookie })
    assert.deepEqual(without.refused?.fields, { code: 'is required' })
    const body = { currentPassword: password, newPassword: 'a brand new violet' }
    assert.equal((await call(server, contract.changePassword, { body }, { cookie })).refused?.status, 400)
    const withCode = await call(
      server,
      contract.changeEmail,
      { body: { emailAddress, password, code: codeOf(secret, 1) } },
      { cookie },
    )
    assert.equal(withCode.status, 200)
  })
})

describe('POST /account/two-factor/recovery-codes', () => {
  test('the former ones are no longer good', async () => {
    const { user, cookie, secret, recoveryCodes } = await aProtectedUser()
    const renewed = await call(
      server,
      twoFactor.renewRecoveryCodes,
      { body: { password, code: codeOf(secret, 1) } },
      { cookie },
    )
    assert.equal(renewed.data.recoveryCodes.length, 10)
    assert.equal((await finishSignIn(cookiesOf(await beginSignIn(user)), recoveryCodes[0] ?? '')).refused?.status, 400)
  })
})
