import { scopesIn } from '#account/rights'
import type { AppRow } from '#apps/tables'
import { invalid } from '#problem'

/** What an app may ask for when it sends somebody here. */
export interface Asked {
  redirectUrl: string | null
  state: string | null
  codeChallenge: string | null
  codeChallengeMethod: string | null
}

/** What is left of it once it has been checked against the app. */
export interface AuthorizationRequest {
  redirectUrl: string
  state: string | null
  codeChallenge: string | null
  scopes: string[]
}

const stateBytesMax = 2048

/** Throws when anything is not exactly as it must be: nobody is ever sent to an address that the app did not register. */
export function checkRequest(app: AppRow, asked: Asked): AuthorizationRequest {
  const fields: Record<string, string> = {}
  const redirectUrl = asked.redirectUrl ?? app.redirectUrls[0]
  if (redirectUrl === undefined || !app.redirectUrls.includes(redirectUrl)) {
    fields['redirectUrl'] = 'is not an address that the application registered'
  }
  if (asked.state !== null && Buffer.byteLength(asked.state) > stateBytesMax) {
    fields['state'] = `must have at most ${stateBytesMax} bytes`
  }
  Object.assign(fields, challengeFaults(asked))
  if (redirectUrl === undefined || Object.keys(fields).length > 0) throw invalid(fields)
  return { redirectUrl, state: asked.state, codeChallenge: asked.codeChallenge, scopes: [...scopesIn(app.scopes)] }
}

/** Only S256: a challenge that is the verifier itself protects nothing. */
function challengeFaults({ codeChallenge, codeChallengeMethod }: Asked): Record<string, string> {
  if (codeChallenge === null) {
    return codeChallengeMethod === null ? {} : { code_challenge: 'is required with code_challenge_method' }
  }
  if (codeChallengeMethod !== 'S256') return { code_challenge_method: 'must be S256' }
  return /^[A-Za-z0-9_-]{43,128}$/.test(codeChallenge)
    ? {}
    : { code_challenge: 'must be 43 to 128 letters, digits, - and _' }
}

/** Where the app is told how it went. The registered address stays as it is, letter by letter. */
export function returnAddress(
  { redirectUrl, state }: Pick<AuthorizationRequest, 'redirectUrl' | 'state'>,
  outcome: { code: string } | { error: 'access_denied' },
): string {
  const parameters = Object.entries({ ...outcome, ...(state === null ? {} : { state }) })
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const separator = redirectUrl.includes('?') ? (/[?&]$/.test(redirectUrl) ? '' : '&') : '?'
  return `${redirectUrl}${separator}${query}`
}
