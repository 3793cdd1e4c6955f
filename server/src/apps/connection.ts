import { scopesIn } from '#account/rights'
import type { Db } from '#platform/db/database'
import { selectConnectedApps } from './queries.ts'

/** An app as one user has let it in: whoever authorizes twice has given two keys, and reads them as one. */
export interface Connection {
  id: string
  name: string
  scopes: string[]
  storeIds: string[] | null
  dateCreated: Date
  lastUsed: Date | null
}

export async function listConnections(db: Db, userId: string): Promise<Connection[]> {
  const connections = new Map<string, Connection>()
  for (const { id, name, appScopes, keyScopes, storeIds, dateCreated, lastUsed } of await selectConnectedApps(
    db,
    userId,
  )) {
    const scopes = [...scopesIn(keyScopes, appScopes)]
    const known = connections.get(id)
    if (!known) connections.set(id, { id, name, scopes, storeIds, dateCreated, lastUsed })
    else {
      known.scopes = [...new Set([...known.scopes, ...scopes])]
      known.storeIds = known.storeIds && storeIds && [...new Set([...known.storeIds, ...storeIds])]
      known.lastUsed = later(known.lastUsed, lastUsed)
    }
  }
  return [...connections.values()]
}

function later(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other
  return one > other ? one : other
}
