import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { keyedHash } from '#platform/secrets/seal'
import type { SecretKey } from '#platform/secrets/secret-key'
import { isSameSecret } from '#platform/secrets/tokens'
import type { AuthorizationRequest } from './request.ts'

const Carried = Type.Object({
  redirectUrl: Type.String(),
  state: Type.Union([Type.String(), Type.Null()]),
  codeChallenge: Type.Union([Type.String(), Type.Null()]),
  scopes: Type.Array(Type.String()),
})

interface Asker {
  sessionId: string
  appId: string
}

/**
 * Carries what the person was shown, signed for this session and app: the answer can be to nothing else. A form would
 * also change line breaks inside `state`.
 */
export function makeFormToken(secrets: SecretKey, asker: Asker, request: AuthorizationRequest): string {
  const payload = Buffer.from(JSON.stringify(request)).toString('base64url')
  return `${payload}.${sign(secrets, asker, payload)}`
}

/** Undefined when the token was not made by us for this session and app. */
export function readFormToken(secrets: SecretKey, asker: Asker, token: string): AuthorizationRequest | undefined {
  const [payload = '', signature = ''] = token.split('.')
  if (!isSameSecret(signature, sign(secrets, asker, payload))) return undefined
  return Value.Parse(Carried, JSON.parse(Buffer.from(payload, 'base64url').toString()))
}

function sign(secrets: SecretKey, { sessionId, appId }: Asker, payload: string): string {
  return keyedHash(secrets.derive('consent-form'), `${sessionId} ${appId} ${payload}`).toString('base64url')
}
