import { randomBytes } from 'node:crypto'
import type { AppForm } from '@keystall/contract/endpoints/apps'
import { recordAct } from '#account/audit'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { hashToken, isSameSecret } from '#platform/secrets/tokens'
import { applicationNotFound, invalid } from '#problem'
import {
  deleteAppRows,
  expireSecrets,
  insertApp,
  insertSecret,
  selectApp,
  selectAppOfOwner,
  selectSecretHashes,
  updateAppRow,
} from './queries.ts'
import { readScopes } from './scopes.ts'
import type { AppRow } from './tables.ts'

/** 54 random bytes are written as 72 characters. */
const secretBytes = 54
const nameCharactersMax = 64
const redirectUrlsMax = 10

export interface Owner {
  id: string
}

export async function createApp(tx: Tx, owner: Owner, form: AppForm): Promise<{ app: AppRow; clientSecret: string }> {
  const app = await insertApp(tx, { id: newId(), ownerId: owner.id, ...checked(form) })
  await recordAct(tx, { act: 'app.created', userId: owner.id, subject: app.id })
  return { app, clientSecret: await addSecret(tx, app) }
}

export async function updateApp(tx: Tx, owner: Owner, appId: string, form: AppForm): Promise<AppRow> {
  const app = await loadOwnApp(tx, owner, appId)
  const updated = await updateAppRow(tx, app, checked(form))
  await recordAct(tx, { act: 'app.updated', userId: owner.id, subject: app.id, details: { scopes: updated.scopes } })
  return updated
}

/** Without its app a key is worth nothing at the next call. */
export async function deleteApp(tx: Tx, owner: Owner, appId: string): Promise<AppRow> {
  const app = await loadOwnApp(tx, owner, appId)
  await deleteAppRows(tx, app)
  await recordAct(tx, { act: 'app.deleted', userId: owner.id, subject: app.id })
  return app
}

/** The present secret stays good for a day beside the new one; one before it ends now. */
export async function rotateSecret(tx: Tx, owner: Owner, appId: string) {
  const app = await loadOwnApp(tx, owner, appId)
  const previousValidUntil = await expireSecrets(tx, app)
  await recordAct(tx, { act: 'app.secret-rotated', userId: owner.id, subject: app.id })
  return { clientSecret: await addSecret(tx, app), previousValidUntil }
}

async function addSecret(tx: Tx, app: AppRow): Promise<string> {
  const clientSecret = randomBytes(secretBytes).toString('base64url')
  await insertSecret(tx, app, hashToken(clientSecret))
  return clientSecret
}

export async function loadApp(db: Db, appId: string): Promise<AppRow> {
  const app = await selectApp(db, appId)
  if (!app) throw applicationNotFound()
  return app
}

/** Somebody else's app reads like none. */
async function loadOwnApp(db: Db, owner: Owner, appId: string): Promise<AppRow> {
  const app = await selectAppOfOwner(db, owner.id, appId)
  if (!app) throw applicationNotFound()
  return app
}

/** Every valid secret is compared, so that the time tells nothing. */
export async function isSecretOf(db: Db, app: AppRow, clientSecret: string): Promise<boolean> {
  const given = hashToken(clientSecret)
  const hashes = await selectSecretHashes(db, app)
  return hashes.filter(({ secretHash }) => isSameSecret(secretHash, given)).length > 0
}

/** The operator's command comes without the form's own checks. */
function checked(form: AppForm): Pick<AppRow, 'name' | 'redirectUrls' | 'scopes'> {
  const fields: Record<string, string> = {}
  for (const [index, url] of form.redirectUrls.entries()) {
    const reason = redirectUrlFault(url)
    if (reason) fields[`redirectUrls.${index}`] = reason
  }
  if (form.redirectUrls.length === 0 || form.redirectUrls.length > redirectUrlsMax) {
    fields['redirectUrls'] = `must have 1 to ${redirectUrlsMax} entries`
  }
  if (form.name.trim() === '' || form.name.length > nameCharactersMax) {
    fields['name'] = `must have 1 to ${nameCharactersMax} characters`
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return { name: form.name, redirectUrls: form.redirectUrls, scopes: readScopes(form.scopes) }
}

/** The address is kept and compared to the letter, so it must be one that needs no reading between the lines. */
function redirectUrlFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:\/\//.test(text)) return 'must be an http or https address'
  if (!/^[\x21-\x7e]+$/.test(text) || /["<>\\^`{|}]/.test(text))
    return 'must be written in plain, percent-encoded characters'
  if (url.username || url.password) return 'must not contain a user name or password'
  if (text.includes('#')) return 'must not contain a fragment'
  if (url.searchParams.has('code') || url.searchParams.has('state')) return 'must not have code or state in its query'
  return undefined
}
