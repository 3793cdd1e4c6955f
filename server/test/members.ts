import { acceptInvitation, inviteMember } from '@keystall/contract/endpoints/members'
import type { Scope } from '@keystall/contract/scopes'
import type { UserRow } from '#account/tables'
import { aUser, type Seller } from './factories.ts'
import { call, type TestServer } from './harness.ts'
import { lastMailTo, signedIn, tokenIn } from './people.ts'

export interface TestMember {
  user: UserRow
  cookie: string
}

/** What the mail carried. */
export async function linkTo(server: TestServer, seller: Seller, emailAddress: string) {
  return { storeId: seller.storeId, token: tokenIn(await lastMailTo(server, emailAddress)) }
}

/** Invited by mail, signed in, and in. */
export async function aMember(server: TestServer, seller: Seller, scopes: readonly Scope[]): Promise<TestMember> {
  const user = await aUser(server)
  const cookie = await signedIn(server, user)
  const invited = await seller.call(inviteMember, { body: { emailAddress: user.emailAddress, scopes } })
  if (invited.refused) throw new Error(JSON.stringify(invited.body))
  const accepted = await call(
    server,
    acceptInvitation,
    { body: await linkTo(server, seller, user.emailAddress) },
    { cookie },
  )
  if (accepted.refused) throw new Error(JSON.stringify(accepted.body))
  return { user, cookie }
}
