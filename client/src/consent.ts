import { KeystallFailure } from './failure.ts'

/** What must be remembered between the two addresses, in the visitor's session. */
export interface Consent {
  /** Where to send the seller. */
  url: string
  state: string
  codeVerifier: string
}

/** Begins the asking for a key: with a state against forged answers, and PKCE against stolen codes. */
export async function beginConsent({
  dashUrl,
  appId,
  redirectUrl,
}: {
  dashUrl: string
  appId: string
  /** One of the app's redirect addresses; its first when left out. */
  redirectUrl?: string
}): Promise<Consent> {
  const state = randomText()
  const codeVerifier = randomText()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  const url = new URL(`/oauth2/${encodeURIComponent(appId)}`, dashUrl)
  if (redirectUrl !== undefined) url.searchParams.set('redirectUrl', redirectUrl)
  url.searchParams.set('state', state)
  url.searchParams.set('code_challenge', base64Url(new Uint8Array(digest)))
  url.searchParams.set('code_challenge_method', 'S256')
  return { url: url.href, state, codeVerifier }
}

/** Ends it: checks the state that came back, and exchanges the code for the API key. */
export async function finishConsent(
  client: Exchanging,
  {
    appId,
    clientSecret,
    consent,
    returnedUrl,
  }: {
    appId: string
    clientSecret: string
    consent: Pick<Consent, 'state' | 'codeVerifier'>
    /** The address at which the seller came back, with its query. */
    returnedUrl: string | URL
  },
): Promise<string> {
  const { searchParams } = new URL(returnedUrl, 'http://localhost')
  if (searchParams.get('state') !== consent.state) {
    throw new KeystallFailure(0, { code: 'StateMismatch', message: 'This answer belongs to another request' })
  }
  const code = searchParams.get('code')
  if (code === null) throw new KeystallFailure(0, { code: 'ConsentDenied', message: 'The seller did not allow it' })
  return client.exchangeCode({ appId, code, clientSecret, code_verifier: consent.codeVerifier })
}

interface Exchanging {
  exchangeCode(input: { appId: string; code: string; clientSecret: string; code_verifier: string }): Promise<string>
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)))
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
