import { addressOf, CallFailure, createClient } from '@keystall/contract/client'
import type { Endpoint } from '@keystall/contract/endpoint'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/** Calls the dashboard's own API; the session travels in a cookie that no script can read. */
export const send = createClient({ baseUrl: '/api' })

/** Where a link leads that the browser itself follows, such as to a file. */
export const apiAddress = (endpoint: Endpoint, path: Readonly<Record<string, string>>) =>
  `/api${addressOf(endpoint, { path })}`

/** What failed, in the API's words; our own mistakes get neutral ones. */
export function failureOf(error: unknown): Pick<CallFailure, 'message' | 'code' | 'invalidFields' | 'requestId'> {
  if (error instanceof CallFailure) return error
  return {
    message: 'Something went wrong on this page. Load it again; if it stays, tell whoever runs this site.',
    code: 'InternalServerError',
    invalidFields: [],
    requestId: undefined,
  }
}

/** A session that ended while the page was open. Before signing in there is none, and refusals are shown in the form. */
function leaveWhenSignedOut(error: unknown) {
  if (failureOf(error).code !== 'BadToken' || !queryClient.getQueryData(['account'])) return
  queryClient.clear()
  location.assign(`/sign-in?${new URLSearchParams({ next: location.pathname + location.search })}`)
}

function isWorthRetrying(error: unknown) {
  const { code } = failureOf(error)
  return code === 'Unreachable' || code === 'Unavailable'
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
  defaultOptions: {
    queries: { retry: (count, error) => count < 2 && isWorthRetrying(error), staleTime: 10_000 },
    // A change is sent at once or fails at once, also offline: a form that waits silently is a broken form.
    mutations: { networkMode: 'always' },
  },
})

/** Names one wish of the person, however often it has to be sent. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
