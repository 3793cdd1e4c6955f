import type { Endpoint } from '@keystall/contract/endpoint'
import { createStore } from '@keystall/contract/endpoints/stores'
import { type Scope, scopeNames } from '@keystall/contract/scopes'
import { createUser } from '#account/account'
import type { UserRow } from '#account/tables'
import { issueKey } from '#keys/key'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { call, type CallInput, type CallResult, type TestServer } from './harness.ts'

let made = 0

export interface Seller {
  user: UserRow
  apiKey: string
  /** The seller's first store; every path that names a store means it, unless the test says otherwise. */
  storeId: string
  call<E extends Endpoint>(endpoint: E, input?: CallInput<E>): Promise<CallResult<E>>
}

/** A person with a confirmed e-mail address. Passwords cost time: this one is hashed like any other. */
export function aUser(
  server: TestServer,
  given: { emailAddress?: string; userName?: string; isStaff?: boolean } = {},
): Promise<UserRow> {
  made += 1
  const number = made
  return transact(server.platform.db, (tx) =>
    createUser(tx, {
      emailAddress: `person${number}@example.com`,
      userName: `person${number}`,
      password: testPassword,
      isStaff: false,
      isConfirmed: true,
      ...given,
    }),
  )
}

export const testPassword = 'correct horse battery'

export function aKey(
  { platform }: TestServer,
  user: UserRow,
  given: { scopes?: readonly Scope[]; storeIds?: string[] | null } = {},
): Promise<string> {
  return transact(platform.db, async (tx) => {
    const { apiKey } = await issueKey(tx, platform, user, {
      label: 'test',
      scopes: [...scopeNames],
      storeIds: null,
      ...given,
    })
    return apiKey
  })
}

/** A seller with a key of all scopes and a store. */
export async function aSeller(
  server: TestServer,
  given: { store?: Record<string, unknown>; scopes?: readonly Scope[] } = {},
): Promise<Seller> {
  const user = await aUser(server)
  const apiKey = await aKey(server, user)
  const store = await call(
    server,
    createStore,
    { body: { name: `Store ${made}`, url: `store${made}x${newId().slice(-6)}`, ...given.store } },
    { apiKey },
  )
  const storeId = store.data.id
  const ownKey = given.scopes ? await aKey(server, user, { scopes: given.scopes }) : apiKey
  return {
    user,
    apiKey: ownKey,
    storeId,
    call: (endpoint, input = {}) =>
      call(server, endpoint, { ...input, path: { storeId, ...input.path } as never }, { apiKey: ownKey }),
  }
}
