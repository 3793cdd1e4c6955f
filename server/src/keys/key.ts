import type { KeyForm } from '@keystall/contract/endpoints/keys'
import { type Scope, scopeNamed } from '@keystall/contract/scopes'
import ipaddr from 'ipaddr.js'
import { recordAct } from '#account/audit'
import type { UserRow } from '#account/tables'
import type { AppRow } from '#apps/tables'
import type { Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import { invalid, notFound } from '#problem'
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

  const issued = await issueKey(tx, platform, user, { label: form.label, scopes, storeIds, expiresAt, allowedAddresses })
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

/** False when the user had given the app no key. */
export async function revokeKeysOfConnection(tx: Tx, user: { id: string }, app: { id: string }): Promise<boolean> {
  return (await revokeKeysWhere(tx, { userId: user.id, appId: app.id })).length > 0
}

/** Whether the user owns, or is a member of, each of the stores. */
export async function areStoresOf(tx: Tx, userId: string, storeIds: string[]): Promise<boolean> {
  return (await countStoresOf(tx, userId, storeIds)) === new Set(storeIds).size
}

/** Both spellings are taken; the contract's names are kept, each once. */
export function readScopes(texts: readonly string[]): Scope[] {
  const fields: Record<string, string> = {}
  const scopes = texts.map((text, index) => {
    const scope = scopeNamed(text)
    if (!scope) fields[`scopes.${index}`] = 'is not a scope'
    return scope
  })
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return [...new Set(scopes.filter((scope) => scope !== undefined))]
}

function refuseBadAddresses(addresses: string[]): void {
  const fields: Record<string, string> = {}
  for (const [index, text] of addresses.entries()) {
    const isKnown = text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)
    // The library takes octal and shortened IPv4 too, which would not mean what was written.
    const isPlain = text.includes(':') || /^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/.test(text)
    if (!isKnown || !isPlain) fields[`allowedAddresses.${index}`] = 'must be an IP address or a range such as 10.0.0.0/8'
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
}
