import { type Scope, scopeNamed, scopes as scopeWords } from '@keystall/contract/scopes'
import { recordAct } from '#account/audit'
import { loadUser } from '#account/account'
import { loadApp } from '#apps/app'
import { listConnections } from '#apps/connection'
import { areStoresOf } from '#keys/key'
import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import { hashToken, newToken } from '#platform/secrets/tokens'
import { invalid, notFound, Problem } from '#problem'
import { selectStoreNames } from '#views/account'
import { makeFormToken, readFormToken } from './form-token.ts'
import { insertCode } from './queries.ts'
import { type Asked, type AuthorizationRequest, checkRequest, returnAddress } from './request.ts'

/** The session that answers. */
export interface Answerer {
  sessionId: string
  userId: string
  ip: string
}

/** What the person is asked. */
export async function describeConsent(platform: Platform, answerer: Answerer, appId: string, asked: Asked) {
  const { db, secrets } = platform
  const app = await loadApp(db, appId)
  const request = checkRequest(app, asked)
  const [owner, stores, connections] = await Promise.all([
    loadUser(db, app.ownerId),
    selectStoreNames(db, platform.config, answerer.userId),
    listConnections(db, answerer.userId),
  ])
  return {
    app: { id: app.id, name: app.name, owner: owner.userName },
    scopes: request.scopes.flatMap((name) => described(scopeNamed(name))),
    stores,
    redirectUrl: request.redirectUrl,
    state: request.state,
    codeChallenge: request.codeChallenge,
    formToken: makeFormToken(secrets, { sessionId: answerer.sessionId, appId }, request),
    grantedScopes: connections.find(({ id }) => id === app.id)?.scopes ?? [],
  }
}

function described(scope: Scope | undefined) {
  return scope ? [{ name: scope, words: scopeWords[scope].words }] : []
}

export interface ConsentAnswer {
  formToken: string
  decision: string | null
  /** Null is every store, those to come included. */
  storeIds: string[] | null
}

/** The address to send the person to. Everything is checked again: the app may have changed since the page was shown. */
export async function answerConsent(
  platform: Platform,
  answerer: Answerer,
  appId: string,
  answer: ConsentAnswer,
): Promise<string> {
  const shown = readFormToken(platform.secrets, { sessionId: answerer.sessionId, appId }, answer.formToken)
  if (!shown) throw new Problem('AccessDenied', 'This page is out of date: go back to the application and begin again')
  const app = await loadApp(platform.db, appId)
  const request = checkRequest(app, { ...shown, codeChallengeMethod: shown.codeChallenge === null ? null : 'S256' })

  if (answer.decision === 'deny') return returnAddress(request, { error: 'access_denied' })
  if (answer.decision !== 'authorize') throw invalid({ decision: 'must be authorize or deny' })
  const scopes = request.scopes.filter((scope) => shown.scopes.includes(scope))
  const code = await grantCode(platform, answerer, { ...request, scopes, appId, storeIds: answer.storeIds })
  return returnAddress(request, { code })
}

async function grantCode(
  { db }: Platform,
  { userId, ip }: Answerer,
  grant: AuthorizationRequest & { appId: string; storeIds: string[] | null },
): Promise<string> {
  if (grant.storeIds?.length === 0) throw invalid({ stores: 'must be all, or at least one store' })
  const code = newToken(256)
  await transact(db, async (tx) => {
    if (grant.storeIds && !(await areStoresOf(tx, userId, grant.storeIds))) throw notFound('store')
    const { appId, scopes, storeIds, codeChallenge } = grant
    await insertCode(tx, { codeHash: hashToken(code), appId, userId, scopes, storeIds, codeChallenge })
    await recordAct(tx, { act: 'app.authorized', userId, subject: appId, ip, details: { scopes, storeIds } })
  })
  return code
}
