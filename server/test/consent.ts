import assert from 'node:assert/strict'
import { createApp } from '@keystall/contract/endpoints/apps'
import { exchangeCode, getConsent } from '@keystall/contract/endpoints/oauth2'
import type { UserRow } from '#account/tables'
import { aUser } from './factories.ts'
import { call, type TestServer } from './harness.ts'
import { signedIn } from './people.ts'

export const redirectUrl = 'https://app.example/cb'

export interface TestApp {
  appId: string
  clientSecret: string
  ownerCookie: string
}

export async function anApp(
  server: TestServer,
  given: { scopes?: string[]; redirectUrls?: string[]; name?: string } = {},
): Promise<TestApp> {
  const ownerCookie = await signedIn(server, await aUser(server))
  const body = { name: 'Bookkeeper', redirectUrls: [redirectUrl], scopes: ['ViewUser', 'ViewStores'], ...given }
  const { data } = await call(server, createApp, { body }, { cookie: ownerCookie })
  return { appId: data.app.id, clientSecret: data.clientSecret, ownerCookie }
}

/** A person at the consent page: asked by the app, and about to answer. */
export async function aConsent(
  server: TestServer,
  { appId }: TestApp,
  user: UserRow,
  query: Record<string, string> = { redirectUrl },
) {
  const cookie = await signedIn(server, user)
  const { data } = await call(server, getConsent, { path: { appId }, query }, { cookie })
  const answer = (fields: [string, string][], headers: Record<string, string> = {}) =>
    server.app.dash.inject({
      method: 'POST',
      url: `/oauth2/${appId}`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: server.platform.config.dashUrl.origin,
        cookie,
        ...headers,
      },
      payload: new URLSearchParams(fields).toString(),
    })
  return {
    consent: data,
    cookie,
    answer,
    authorize: (stores: [string, string][] = [['stores', 'all']]) =>
      answer([['formToken', data.formToken], ['decision', 'authorize'], ...stores]),
  }
}

/** A code, fresh from the redirect. */
export async function aCode(
  server: TestServer,
  app: TestApp,
  user: UserRow,
  { query, stores }: { query?: Record<string, string>; stores?: [string, string][] } = {},
): Promise<string> {
  const { authorize } = await aConsent(server, app, user, query)
  const response = await authorize(stores)
  assert.equal(response.statusCode, 303, response.body)
  return new URL(String(response.headers.location)).searchParams.get('code') ?? ''
}

export function exchange(
  server: TestServer,
  { appId, clientSecret }: { appId: string; clientSecret: string },
  code: string,
  query: Record<string, string> = {},
) {
  return call(server, exchangeCode, {
    path: { appId, code },
    query,
    headers: { 'XOAuth2-Client-Secret': clientSecret },
  })
}
