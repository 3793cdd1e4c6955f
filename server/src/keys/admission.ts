import { type Scope, scopeNames } from '@keystall/contract/scopes'
import type { Nullable } from 'kysely'
import { rightsOf, scopesIn } from '#account/rights'
import { touchSessionLater } from '#account/session'
import type { Wanted } from '#platform/db/ahead'
import { isUuid } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import type { OwnStore, Visit } from '#platform/http/caller'
import type { Admission, Proof } from '#platform/http/gate'
import type { Platform } from '#platform/platform'
import { hashToken } from '#platform/secrets/tokens'
import type { StoreRow } from '#stores/tables'
import { isAllowedFrom } from './allow-list.ts'
import { findKeyAdmission, findKeyVersions, findSessionAdmission, touchKey } from './queries.ts'
import { type VerifiedKey, verifyKey } from './signing.ts'

/**
 * Undefined, always alike, for a key that is forged, unknown, revoked, too old, of a disabled user, of a deleted app or
 * used from elsewhere. The database is asked at every call, so that revoking takes effect at once on every process.
 */
export async function admitKey(
  platform: Platform,
  apiKey: string,
  storeId: string | undefined,
  visit: Visit,
  wanted?: Wanted,
): Promise<Admission | undefined> {
  const verified = await verifyKey(platform, apiKey)
  if (!verified) return undefined
  const found = await findKeyAdmission(platform.db, verified, storeIdOrNull(storeId), wanted)
  if (!found) return undefined
  const { keyScopes, keyAppId, keyStoreIds, keyAddresses, appScopes, isUseUnnoted, shown, versions, ...rest } = found
  if (keyAppId !== null && appScopes === null) return undefined
  if (!isAllowedFrom(visit.ip, keyAddresses)) return undefined
  if (isUseUnnoted) touchKeyLater(platform, rest.callerId)

  const scopes = appScopes === null ? scopesIn(keyScopes) : scopesIn(keyScopes, appScopes)
  const admitted = admission('key', rest, { scopes, storeIds: keyStoreIds })
  if (!wanted) return admitted
  const asked = { verified, storeId: storeIdOrNull(storeId), wanted, addresses: keyAddresses }
  return { ...admitted, shown, proof: proofOf(platform, versions, asked) }
}

interface Asked {
  verified: VerifiedKey
  storeId: string | null
  wanted: Wanted
  addresses: readonly string[]
}

/** The addresses are part of the key's own row: as long as its version stands, so do they. */
function proofOf(platform: Platform, versions: string, { verified, storeId, wanted, addresses }: Asked): Proof {
  // One object for all who ask: at the same moment they share the question.
  const given = { ...wanted.given, ahead: wanted.ahead, keyId: verified.id, userId: verified.userId, storeId }
  return {
    callerId: verified.id,
    versions,
    renew: async (ip) => {
      if (!isAllowedFrom(ip, addresses)) return undefined
      const found = await findKeyVersions(platform.db, given)
      if (found?.isUseUnnoted) touchKeyLater(platform, verified.id)
      return found?.versions
    },
  }
}

/** A session may do whatever its user may. */
export async function admitSession(
  platform: Platform,
  token: string,
  storeId: string | undefined,
  visit: Visit,
): Promise<Admission | undefined> {
  const found = await findSessionAdmission(platform.db, hashToken(token), storeIdOrNull(storeId))
  if (!found) return undefined
  const { isUseUnnoted, ...rest } = found
  if (isUseUnnoted) touchSessionLater(platform, { id: rest.callerId, ip: visit.ip })
  return admission('session', rest, { scopes: new Set(scopeNames), storeIds: null })
}

interface CallerColumns {
  callerId: string
  callerUserId: string
  callerUserName: string
  callerIsStaff: boolean
  memberScopes: string[] | null
}

function admission(
  kind: 'key' | 'session',
  { callerId, callerUserId, callerUserName, callerIsStaff, memberScopes, ...store }: CallerColumns & Nullable<StoreRow>,
  { scopes, storeIds }: { scopes: ReadonlySet<Scope>; storeIds: string[] | null },
): Admission {
  const caller = {
    kind,
    id: callerId,
    userId: callerUserId,
    userName: callerUserName,
    isStaff: callerIsStaff,
    scopes,
    storeIds,
  }
  return { caller, own: ownStore(store) }

  function ownStore(row: Nullable<StoreRow>): OwnStore | undefined {
    if (!isFound(row)) return undefined
    const isOwner = row.ownerId === callerUserId
    if (!isOwner && memberScopes === null) return undefined
    if (storeIds && !storeIds.includes(row.id)) return undefined
    const rights = rightsOf({ isOwner, memberScopes })
    return { store: row, rights: isOwner ? scopes : new Set([...scopes].filter((scope) => rights.has(scope))) }
  }
}

/** A left join fills all columns, or none. */
function isFound(row: Nullable<StoreRow>): row is StoreRow {
  return row.id !== null
}

function storeIdOrNull(storeId: string | undefined): string | null {
  return storeId !== undefined && isUuid(storeId) ? storeId : null
}

/** Of many that come at once with one key, the first notes it for all. */
const beingNoted = new Set<string>()

/** Noted at most once a minute, and without keeping the call waiting. */
function touchKeyLater({ db, log }: Platform, keyId: string): void {
  if (beingNoted.has(keyId)) return
  beingNoted.add(keyId)
  transact(db, (tx) => touchKey(tx, keyId))
    .catch((error) => log.warn({ err: error }, 'the use of a key was not noted'))
    .finally(() => beingNoted.delete(keyId))
}
