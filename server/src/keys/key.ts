import type { KeyForm } from '@keystall/contract/endpoints/keys'
import type { Scope } from '@keystall/contract/scopes'
import { recordAct } from '#account/audit'
import type { UserRow } from '#account/tables'
import { readScopes } from '#apps/scopes'
import type { AppRow } from '#apps/tables'
import type { Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import { applicationNotFound, invalid, notFound } from '#problem'
import { refuseBadAddresses } from './allow-list.ts'
import { countStoresOf, insertKey, revokeKeyRow, revokeKeysWhere } from './queries.ts'
import { signKey } from './signing.ts'
import type { ApiKeyRow } from './tables.ts'

export interface NewKey {
  /** Chosen by the caller where something must name the key before it is made. */
  id?: string
  label: string
  scopes: readonly Scope[]
  storeIds: string[] | null
  app?: AppRow
  expiresAt?: Date | null
  allowedAddresses?: string[]
}

export interface IssuedKey {
  key: ApiKeyRow
  apiKey: string
}

/** The text of the key is shown once and kept nowhere; the row decides what it may do. */
export async function issueKey(
  tx: Tx,
  platform: Pick<Platform, 'config' | 'secrets'>,
  user: Pick<UserRow, 'id'>,
  { id = newId(), label, scopes, storeIds, app, expiresAt = null, allowedAddresses = [] }: NewKey,
): Promise<IssuedKey> {
  const key = await insertKey(tx, {
    id,
    userId: user.id,
    appId: app?.id ?? null,
    label,
    scopes: [...scopes],
    storeIds,
    expiresAt,
    allowedAddresses,
  })
  return { key, apiKey: await signKey(platform, key) }
}

export async function createKey(
  tx: Tx,
  platform: Platform,
  user: { id: string; ip: string },
  form: Required<KeyForm>,
): Promise<IssuedKey> {
  const scopes = readScopes(form.scopes)
  const allowedAddresses = form.allowedAddresses.map((text) => text.trim())
  refuseBadAddresses(allowedAddresses)
  const expiresAt = form.expiresAt === null ? null : new Date(form.expiresAt)
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw invalid({ expiresAt: 'must be in the future' })
  const storeIds = form.storeIds && [...new Set(form.storeIds)]
  if (storeIds && !(await areStoresOf(tx, user.id, storeIds))) throw notFound('store')

  const issued = await issueKey(tx, platform, user, {
    label: form.label,
    scopes,
    storeIds,
    expiresAt,
    allowedAddresses,
  })
  await recordAct(tx, { act: 'key.created', userId: user.id, subject: issued.key.id, ip: user.ip })
  return issued
}

export async function revokeKey(tx: Tx, user: { id: string; ip: string }, keyId: string): Promise<void> {
  const revoked = await revokeKeyRow(tx, user.id, keyId)
  if (!revoked) throw notFound('API key')
  await recordAct(tx, { act: 'key.revoked', userId: user.id, subject: keyId, ip: user.ip })
}

/** Every key of the user, whoever holds it. */
export function revokeKeysOfUser(tx: Tx, user: { id: string }): Promise<unknown> {
  return revokeKeysWhere(tx, { userId: user.id })
}

/** Every key of the app, whoever's account it opens. */
export function revokeKeysOfApp(tx: Tx, app: { id: string }): Promise<unknown> {
  return revokeKeysWhere(tx, { appId: app.id })
}

/** Every key that the user gave to the app. */
export async function disconnectApp(tx: Tx, user: { id: string; ip: string }, appId: string): Promise<void> {
  const revoked = await revokeKeysWhere(tx, { userId: user.id, appId })
  if (revoked.length === 0) throw applicationNotFound()
  await recordAct(tx, { act: 'app.disconnected', userId: user.id, subject: appId, ip: user.ip })
}

/** The one key that a code gave. */
export function revokeKeyNamed(tx: Tx, id: string): Promise<unknown> {
  return revokeKeysWhere(tx, { id })
}

/** Whether the user owns, or is a member of, each of the stores. */
export async function areStoresOf(tx: Tx, userId: string, storeIds: string[]): Promise<boolean> {
  return (await countStoresOf(tx, userId, storeIds)) === new Set(storeIds).size
}
