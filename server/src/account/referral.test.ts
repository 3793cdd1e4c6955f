import { confirmAccount, signUp } from '@keystall/contract/endpoints/account'
import { getReferralStatistics, getUser, listReferralEarnings } from '@keystall/contract/endpoints/user'
import { sql } from 'kysely'
import { assert, describe, test } from 'vitest'
import { transact } from '#platform/db/transaction'
import { aKey, aUser, testPassword } from '#test/factories'
import { call, useServer } from '#test/harness'
import { lastMailTo, tokenIn } from '#test/people'
import { findUserByEmail } from './account.ts'
import { creditReferral, withdrawReferral } from './referral.ts'

const server = useServer({ hasJobs: false, env: { REFERRAL_PERCENTAGE: '25', RATES: 'BTC-USD=100,BTC-JPY=15000' } })

describe('GET /user/referral-stats', () => {
  test('counts who came by the link and confirmed, who pays, and the share of their fees', async () => {
    const user = await aUser(server)
    const apiKey = await aKey(server, user)
    const statistics = async () => (await call(server, getReferralStatistics, {}, { apiKey })).data
    const { data } = await call(server, getUser, {}, { apiKey })
    const link = new URL(data.ownedReferralLink)
    assert.equal(link.pathname, '/sign-up')
    const body = {
      emailAddress: 'referred@example.com',
      userName: 'referred',
      password: testPassword,
      referralCode: link.searchParams.get('ref'),
    }
    await call(server, signUp, { body })
    assert.deepEqual(await statistics(), { amountRegistered: 0, amountSubscribed: 0, amountEarned: 0 })
    await call(server, confirmAccount, { body: { token: tokenIn(await lastMailTo(server, body.emailAddress)) } })
    assert.deepEqual(await statistics(), { amountRegistered: 1, amountSubscribed: 0, amountEarned: 0 })

    const { db, config } = server.platform
    await sql`update users set plan_expiry = now() + interval '1 day' where user_name = 'referred'`.execute(db)
    const referred = await findUserByEmail(db, body.emailAddress)
    assert.ok(referred)
    const credit = (orderId: string, feeMinor: number, { currency = 'USD', sellerId = referred.id } = {}) =>
      transact(db, (tx) => creditReferral(tx, config, { sellerId, orderId, currency, feeMinor }))
    await Promise.all(Array.from({ length: 5 }, () => credit('1', 1999)))
    await credit('2', 0)
    await credit('3', 999)
    const kept = [666, 333, 0]
    for (const [index, afterMinor] of kept.entries()) {
      const beforeMinor = kept[index - 1] ?? 999
      const fee = { sellerId: referred.id, orderId: '3', currency: 'USD', beforeMinor, afterMinor }
      await transact(db, (tx) => withdrawReferral(tx, fee))
      await transact(db, (tx) => withdrawReferral(tx, fee))
    }
    await credit('4', 999, { sellerId: user.id })
    assert.deepEqual(await statistics(), { amountRegistered: 1, amountSubscribed: 1, amountEarned: 4.99 })

    await credit('5', 1000, { currency: 'JPY' })
    const earnings = await call(server, listReferralEarnings, {}, { apiKey })
    assert.deepEqual(earnings.data, [
      { currency: 'JPY', amount: 250 },
      { currency: 'USD', amount: 4.99 },
    ])
    // A thousand yen of fee is a share of 250, and a coin costs 100 dollars or 15,000 yen; of baht nobody knows.
    await credit('6', 1000, { currency: 'THB' })
    assert.equal((await statistics()).amountEarned, 6.66)
    const theirs = await call(server, getUser, {}, { apiKey: await aKey(server, referred) })
    assert.equal(theirs.data.referralLink, data.ownedReferralLink)
  })
})
