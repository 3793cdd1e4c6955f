import * as contract from '@keystall/contract/endpoints/apps'
import type { Db, Tx } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { implement, type Implementation, ok } from '#platform/http/implement'
import { applicationNotFound } from '#problem'
import { createApp, deleteApp, rotateSecret, updateApp } from './app.ts'
import { listConnections } from './connection.ts'
import { selectOwnApps } from './queries.ts'

/** Keys live in a module of their own: it is told by these functions. */
export interface KeysOfApps {
  revokeKeysOfApp: (tx: Tx, app: { id: string }) => Promise<unknown>
  disconnect: (tx: Tx, user: { id: string; ip: string }, appId: string) => Promise<unknown>
}

export const appRoutes = ({ revokeKeysOfApp, disconnect }: KeysOfApps): Implementation[] => [
  implement(contract.listApps, async ({ db, caller }) => ok(await selectOwnApps(db, caller.userId))),

  implement(contract.createApp, async ({ db, caller, body }) => {
    const { app, clientSecret } = await transact(db, (tx) => createApp(tx, { id: caller.userId }, body))
    return ok({ app: await shown(db, caller.userId, app.id), clientSecret }, 'Keep the secret: it is shown only now')
  }),

  implement(contract.getApp, async ({ db, caller, path }) => ok(await shown(db, caller.userId, path.appId))),

  implement(contract.updateApp, async ({ db, caller, path, body }) => {
    await transact(db, (tx) => updateApp(tx, { id: caller.userId }, path.appId, body))
    return ok(await shown(db, caller.userId, path.appId))
  }),

  implement(contract.deleteApp, async ({ db, caller, path }) => {
    await transact(db, async (tx) => revokeKeysOfApp(tx, await deleteApp(tx, { id: caller.userId }, path.appId)))
    return ok(null)
  }),

  implement(contract.rotateAppSecret, async ({ db, caller, path }) =>
    ok(await transact(db, (tx) => rotateSecret(tx, { id: caller.userId }, path.appId))),
  ),

  implement(contract.listConnectedApps, async ({ db, caller }) => ok(await listConnections(db, caller.userId))),

  implement(contract.disconnectApp, async ({ db, caller, path, visit }) => {
    await transact(db, (tx) => disconnect(tx, { id: caller.userId, ip: visit.ip }, path.appId))
    return ok(null)
  }),
]

async function shown(db: Db, ownerId: string, appId: string) {
  const [app] = await selectOwnApps(db, ownerId, appId)
  if (!app) throw applicationNotFound()
  return app
}
