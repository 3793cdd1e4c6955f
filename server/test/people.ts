import assert from 'node:assert/strict'
import { signIn } from '@keystall/contract/endpoints/account'
import type { UserRow } from '#account/tables'
import { testPassword } from './factories.ts'
import { call, type TestServer } from './harness.ts'

/** The cookies of a person who has just signed in. */
export async function signedIn(server: TestServer, user: UserRow): Promise<string> {
  const body = { emailAddress: user.emailAddress, password: testPassword }
  const answer = await call(server, signIn, { body })
  assert.equal(answer.status, 200)
  return cookiesOf(answer)
}

/** What a browser would send back. */
export function cookiesOf({ headers }: { headers: Record<string, string | string[] | number | undefined> }): string {
  return [headers['set-cookie']]
    .flat()
    .filter((header) => header !== undefined)
    .map((header) => String(header).split(';')[0])
    .join('; ')
}

/** Mails are kept in the database while there is no mail server. */
export async function lastMailTo({ platform }: TestServer, address: string) {
  return platform.db
    .selectFrom('mails')
    .selectAll()
    .where('toAddress', '=', address)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

export function tokenIn({ text }: { text: string }): string {
  const token = /[?&]token=([\w-]+)/.exec(text)?.[1]
  assert.ok(token, `no link in: ${text}`)
  return token
}
