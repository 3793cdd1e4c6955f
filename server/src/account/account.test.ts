import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/account'
import * as development from '@keystall/contract/endpoints/development'
import * as sessions from '@keystall/contract/endpoints/sessions'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aUser, testPassword } from '#test/factories'
import { call, startTestServer, useServer } from '#test/harness'
import { cookiesOf, lastMailTo, signedIn, tokenIn } from '#test/people'

const server = useServer()
let made = 0

function aForm(given: Partial<contract.SignUpForm> = {}) {
  made += 1
  return { emailAddress: `new${made}@example.com`, userName: `new${made}`, password: 'violet tractor 9', ...given }
}

async function register(given: Partial<contract.SignUpForm> = {}) {
  const form = aForm(given)
  const answer = await call(server, contract.signUp, { body: form })
  return { form, answer }
}

describe('POST /account/sign-up', () => {
  test('a new person confirms by mail and is signed in', async () => {
    const { form, answer } = await register()
    assert.equal(answer.status, 200)
    const token = tokenIn(await lastMailTo(server, form.emailAddress))

    const before = await call(server, contract.signIn, { body: form })
    assert.deepEqual(before.refused, { status: 403, code: 'AccessDenied' })

    const confirmed = await call(server, contract.confirmAccount, { body: { token } })
    assert.equal(confirmed.data.emailAddress, form.emailAddress)
    assert.equal(confirmed.data.isEmailConfirmed, true)
    const account = await call(server, contract.getAccount, {}, { cookie: cookiesOf(confirmed) })
    assert.equal(account.data.userName, form.userName)

    const again = await call(server, contract.confirmAccount, { body: { token } })
    assert.equal(again.refused?.status, 400)
  })

  test('a known address gets the same answer, in the same time, and only its owner hears of it', async () => {
    const user = await aUser(server)
    const unknown = await timed(() => register())
    const known = await timed(() => register({ emailAddress: user.emailAddress.toUpperCase() }))
    assert.deepEqual(withoutId(known.result.answer.body), withoutId(unknown.result.answer.body))
    // A floor hides how much work either was.
    assert.ok(Math.min(known.ms, unknown.ms) >= 245, `${known.ms} and ${unknown.ms} ms`)
    const mail = await lastMailTo(server, user.emailAddress.toUpperCase())
    assert.equal(mail.subject, 'You already have an account')
    const signIn = await call(server, contract.signIn, {
      body: { emailAddress: user.emailAddress, password: testPassword },
    })
    assert.equal(signIn.status, 200)
  })

  test('trying names does not tell which addresses are known', async () => {
    const user = await aUser(server)
    const known = await register({ emailAddress: user.emailAddress, userName: 'probing-known' })
    const unknown = await register({ userName: 'probing-unknown' })
    assert.equal(known.answer.status, 200)
    assert.equal(unknown.answer.status, 200)
    assert.equal((await register({ userName: 'probing-known' })).answer.status, 200)
    assert.equal((await register({ userName: 'probing-unknown' })).answer.status, 200)
    const taken = await register({ userName: user.userName.toUpperCase() })
    assert.deepEqual(taken.answer.refused?.fields, { userName: 'is already taken' })
  })

  test('of two people who chose one name the second to confirm gets another', async () => {
    const [first, second] = [await register({ userName: 'twins' }), await register({ userName: 'Twins' })]
    const [one, other] = await Promise.all(
      [first, second].map(async ({ form }) =>
        call(server, contract.confirmAccount, {
          body: { token: tokenIn(await lastMailTo(server, form.emailAddress)) },
        }),
      ),
    )
    const names = [one?.data.userName.toLowerCase(), other?.data.userName.toLowerCase()]
    assert.equal(new Set(names).size, 2)
    assert.ok(names.includes('twins'))
  })

  test('an address that nobody confirmed belongs to whoever registers last', async () => {
    const { form } = await register()
    const old = tokenIn(await lastMailTo(server, form.emailAddress))
    await register({ emailAddress: form.emailAddress, password: 'another violet 1' })
    assert.equal((await call(server, contract.confirmAccount, { body: { token: old } })).refused?.status, 400)
    const token = tokenIn(await lastMailTo(server, form.emailAddress))
    assert.equal((await call(server, contract.confirmAccount, { body: { token } })).status, 200)
    const withOld = await call(server, contract.signIn, { body: form })
    assert.equal(withOld.refused?.status, 401)
  })

  test('short, common and own-name passwords are refused', async () => {
    const passwords = ['short', 'password123', '1234567890', 'qwertyuiop', 'aaaaaaaaaaaa', 'Keystall2026!']
    for (const password of [...passwords, 'weak.person@example.com', 'weak.person99']) {
      const { answer } = await register({ emailAddress: 'weak.person@example.com', password })
      assert.equal(answer.refused?.status, 400, password)
      assert.ok(answer.refused?.fields?.['password'], password)
    }
  })

  test('whoever was referred is counted for the referrer', async () => {
    const referrer = await aUser(server)
    const { form } = await register({ referralCode: referrer.referralCode })
    const row = await server.platform.db
      .selectFrom('users')
      .select('referredBy')
      .where('emailAddress', '=', form.emailAddress)
      .executeTakeFirstOrThrow()
    assert.equal(row.referredBy, referrer.id)
  })
})

describe('POST /account/confirm/resend', () => {
  test('the answer is the same whether the address waits, is confirmed or is unknown', async () => {
    const { form } = await register()
    const first = tokenIn(await lastMailTo(server, form.emailAddress))
    const user = await aUser(server)
    const answers = await Promise.all(
      [form.emailAddress, user.emailAddress, 'nobody@example.com'].map((emailAddress) =>
        call(server, contract.resendConfirmation, { body: { emailAddress } }),
      ),
    )
    for (const answer of answers) assert.deepEqual(withoutId(answer.body), withoutId(answers[0]?.body))
    const second = tokenIn(await lastMailTo(server, form.emailAddress))
    assert.notEqual(first, second)
    await assert.rejects(lastMailTo(server, user.emailAddress))
  })
})

describe('POST /account/sign-in', () => {
  test('a wrong password and an unknown address read the same', async () => {
    const user = await aUser(server)
    const wrong = await call(server, contract.signIn, {
      body: { emailAddress: user.emailAddress, password: 'not it at all' },
    })
    const unknown = await call(server, contract.signIn, {
      body: { emailAddress: 'who@example.com', password: 'not it at all' },
    })
    assert.equal(wrong.status, 401)
    assert.deepEqual(withoutId(wrong.body), withoutId(unknown.body))
  })

  test('it is as much work for an unknown address', async () => {
    const user = await aUser(server)
    const leastWork = async (emailAddress: string) => {
      const tries: number[] = []
      while (tries.length < 3) {
        const before = process.cpuUsage()
        await call(server, contract.signIn, { body: { emailAddress, password: 'not it at all' } })
        tries.push(process.cpuUsage(before).user)
      }
      return Math.min(...tries)
    }
    const known = await leastWork(user.emailAddress)
    const unknown = await leastWork('no1@example.com')
    assert.ok(unknown > known / 2, `${unknown} against ${known} µs of the processor`)
  })

  test('guessing is slowed, at once and together, and a browser of the owner still gets in', async () => {
    const user = await aUser(server)
    const mine = await call(server, contract.signIn, {
      body: { emailAddress: user.emailAddress, password: testPassword },
    })
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        call(server, contract.signIn, {
          body: { emailAddress: user.emailAddress, password: `guess number ${number}` },
        }),
      ),
    )
    assert.ok(guesses.filter(({ status }) => status === 401).length <= 10)
    const refused = guesses.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 10)
    assert.ok(Number(refused[0]?.headers['retry-after']) >= 1)

    await server.platform.db
      .updateTable('signInFailures')
      .set({ failures: 30 })
      .where('name', '=', `password:${user.emailAddress}`)
      .execute()
    const right = { emailAddress: user.emailAddress, password: testPassword }
    assert.equal((await call(server, contract.signIn, { body: right })).status, 429)
    const known = await call(server, contract.signIn, { body: right, headers: { cookie: cookiesOf(mine) } })
    assert.equal(known.status, 200)
  })

  test('the cookie is the browser’s alone, and new at every sign-in', async () => {
    const user = await aUser(server)
    const body = { emailAddress: user.emailAddress, password: testPassword }
    const [one, two] = [await call(server, contract.signIn, { body }), await call(server, contract.signIn, { body })]
    const header = [one.headers['set-cookie']].flat().find((text) => String(text).startsWith('keystall_session='))
    assert.match(String(header), /; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    assert.notEqual(cookiesOf(one), cookiesOf(two))
    const stored = await server.platform.db
      .selectFrom('sessions')
      .select('tokenHash')
      .where('userId', '=', user.id)
      .execute()
    const token = /keystall_session=([^;]+)/.exec(cookiesOf(one))?.[1] ?? ''
    assert.ok(stored.every(({ tokenHash }) => tokenHash.toString('base64url') !== token && tokenHash.length === 32))
  })

  test('on https only the guarded name counts: a store beside us cannot plant the other', async () => {
    const secure = await startTestServer({ env: { DASH_URL: 'https://dash.example.com' }, hasJobs: false })
    onTestFinished(secure.stop)
    const user = await aUser(secure)
    const body = { emailAddress: user.emailAddress, password: testPassword }
    const headers = [(await call(secure, contract.signIn, { body })).headers['set-cookie']].flat().map(String)
    const session = headers.find((text) => text.startsWith('__Host-keystall_session=')) ?? ''
    assert.match(session, /; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/)

    const [cookie = ''] = session.split(';')
    const planted = cookie.replace('__Host-', '')
    const statusWith = async (text: string) => (await call(secure, contract.getAccount, {}, { cookie: text })).status
    assert.equal(await statusWith(cookie), 200)
    assert.equal(await statusWith(planted), 401)
    assert.equal(await statusWith(`keystall_session=planted; ${cookie}`), 200)
  })

  test('a foreign origin and a missing one are refused', async () => {
    const user = await aUser(server)
    const body = { emailAddress: user.emailAddress, password: testPassword }
    for (const origin of ['https://evil.example', 'null', '']) {
      const answer = await call(server, contract.signIn, { body, headers: { origin } })
      assert.deepEqual(answer.refused, { status: 403, code: 'AccessDenied' })
    }
  })

  test('a disabled account is told so, to somebody who knows the password', async () => {
    const user = await aUser(server)
    const cookie = await signedIn(server, user)
    await server.platform.db.updateTable('users').set({ disabledAt: new Date() }).where('id', '=', user.id).execute()
    const body = { emailAddress: user.emailAddress, password: testPassword }
    assert.equal((await call(server, contract.signIn, { body })).refused?.status, 403)
    assert.equal(
      (await call(server, contract.signIn, { body: { ...body, password: 'not it at all' } })).refused?.status,
      401,
    )
    assert.equal((await call(server, contract.getAccount, {}, { cookie })).refused?.status, 401)
  })
})

describe('GET and DELETE /account/sessions', () => {
  test('they are listed, ended one by one or all others, and by signing out', async () => {
    const user = await aUser(server)
    const [one, two, three] = [await signedIn(server, user), await signedIn(server, user), await signedIn(server, user)]
    const listed = await call(server, sessions.listSessions, {}, { cookie: one })
    assert.equal(listed.data.length, 3)
    assert.equal(listed.data.filter(({ isCurrent }) => isCurrent).length, 1)
    const [theirs] = (await call(server, sessions.listSessions, {}, { cookie: two })).data.filter(
      ({ isCurrent }) => isCurrent,
    )

    const stranger = await signedIn(server, await aUser(server))
    const path = { sessionId: theirs?.id ?? '' }
    assert.equal((await call(server, sessions.endSession, { path }, { cookie: stranger })).refused?.status, 404)
    assert.equal((await call(server, sessions.endSession, { path }, { cookie: one })).status, 200)
    assert.equal((await call(server, contract.getAccount, {}, { cookie: two })).refused?.status, 401)

    await call(server, sessions.endOtherSessions, {}, { cookie: one })
    assert.equal((await call(server, contract.getAccount, {}, { cookie: three })).refused?.status, 401)
    await call(server, contract.signOut, {}, { cookie: one })
    assert.equal((await call(server, contract.getAccount, {}, { cookie: one })).refused?.status, 401)
  })

  test('one that is used slides on, and one that is too old has ended', async () => {
    const user = await aUser(server)
    const cookie = await signedIn(server, user)
    const { db } = server.platform
    const past = new Date(Date.now() - 3_600_000)
    await db
      .updateTable('sessions')
      .set({ lastUsed: past, expiresAt: new Date(Date.now() + 60_000) })
      .where('userId', '=', user.id)
      .execute()
    await call(server, contract.getAccount, {}, { cookie })
    await expect
      .poll(async () =>
        (
          await db.selectFrom('sessions').selectAll().where('userId', '=', user.id).executeTakeFirstOrThrow()
        ).expiresAt.getTime(),
      )
      .toBeGreaterThan(Date.now() + 29 * 86_400_000)
    await db.updateTable('sessions').set({ expiresAt: past }).where('userId', '=', user.id).execute()
    assert.equal((await call(server, contract.getAccount, {}, { cookie })).refused?.status, 401)
  })
})

describe('PUT /account/profile', () => {
  test('names are taken once and chat addresses never lead inside', async () => {
    const [user, other] = [await aUser(server), await aUser(server)]
    const cookie = await signedIn(server, user)
    const taken = await call(server, contract.updateProfile, { body: { userName: other.userName } }, { cookie })
    assert.deepEqual(taken.refused?.fields, { userName: 'is already taken' })
    const inside = await call(
      server,
      contract.updateProfile,
      { body: { userName: user.userName, chatWebhookUrl: 'http://127.0.0.1/x' } },
      { cookie },
    )
    assert.ok(inside.refused?.fields?.['chatWebhookUrl'])
    const body = {
      userName: 'renamed-person',
      allowMarketplace: false,
      chatWebhookUrl: 'https://chat.example.com/hook',
    }
    const changed = await call(server, contract.updateProfile, { body }, { cookie })
    assert.deepEqual({ ...changed.data, ...body }, changed.data)
  })
})

describe('GET /development/mails', () => {
  test('the kept mails are there for a developer', async () => {
    const { form } = await register()
    const mails = await call(server, development.listMails)
    assert.equal(mails.data[0]?.to, form.emailAddress)
  })
})

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const start = performance.now()
  const result = await work()
  return { result, ms: performance.now() - start }
}

function withoutId(body: unknown) {
  const { requestId: _, ...rest } = Object(body)
  return rest
}
