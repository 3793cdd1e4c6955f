import { createHash } from 'node:crypto'
import { recordAct } from '#account/audit'
import { scopesIn } from '#account/rights'
import { isSecretOf, loadApp } from '#apps/app'
import type { AppRow } from '#apps/tables'
import { issueKey, revokeKeyNamed } from '#keys/key'
import type { Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import { hashToken } from '#platform/secrets/tokens'
import { Problem } from '#problem'
import { type CodeUse, findCode, takeCode } from './queries.ts'

export interface ExchangeForm {
  appId: string
  code: string
  clientSecret: string | undefined
  codeVerifier: string | null
  ip: string
}

/** Turns a code into a key. The secret comes first: without it nothing is burnt, revoked or told. */
export async function exchangeCode(platform: Platform, form: ExchangeForm): Promise<string> {
  const app = await loadApp(platform.db, form.appId)
  if (!form.clientSecret || !(await isSecretOf(platform.db, app, form.clientSecret))) {
    throw new Problem('InvalidClientSecret', 'The client secret is missing or wrong')
  }
  const use: CodeUse = {
    codeHash: hashToken(form.code),
    appId: app.id,
    codeChallenge: form.codeVerifier === null ? null : challengeOf(form.codeVerifier),
    keyId: newId(),
  }
  const outcome = await transact(
    platform.db,
    async (tx) => (await grantKey(tx, platform, app, use, form.ip)) ?? refuse(tx, app, use, form.ip),
  )
  if (outcome instanceof Problem) throw outcome
  return outcome
}

async function grantKey(
  tx: Tx,
  platform: Platform,
  app: AppRow,
  use: CodeUse,
  ip: string,
): Promise<string | undefined> {
  const grant = await takeCode(tx, use)
  if (!grant) return undefined
  const { userId, scopes, storeIds } = grant
  await recordAct(tx, { act: 'key.issued', userId, subject: use.keyId, ip, details: { appId: app.id } })
  const { apiKey } = await issueKey(
    tx,
    platform,
    { id: userId },
    {
      id: use.keyId,
      app,
      label: app.name,
      scopes: [...scopesIn(scopes)],
      storeIds,
    },
  )
  return apiKey
}

/**
 * A second use means that somebody else has the code, so the key it gave is revoked; right after the first it is the
 * app's own retry. A failed proof of the verifier burns nothing: whoever stole the code cannot void it either.
 */
async function refuse(tx: Tx, app: AppRow, use: CodeUse, ip: string): Promise<Problem> {
  const code = await findCode(tx, use)
  if (code && !code.isUsed && code.isExpired) return new Problem('ExpiredCode', 'The access code is too old')
  if (code?.keyId && code.isUsed && !code.isJustUsed) {
    await revokeKeyNamed(tx, code.keyId)
    await recordAct(tx, {
      act: 'key.revoked-by-code-reuse',
      userId: null,
      subject: code.keyId,
      ip,
      details: { appId: app.id },
    })
  }
  return new Problem('InvalidCode', 'The access code is unknown, used or not yours')
}

function challengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier, 'utf8').digest('base64url')
}
