import { getConsent } from '@keystall/contract/endpoints/oauth2'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../api.ts'

export interface ConsentSearch {
  redirectUrl?: string
  state?: string
  code_challenge?: string
  code_challenge_method?: string
  /** A parameter was given twice: whichever we chose, somebody would have meant the other. */
  isAmbiguous?: boolean
}

const names = ['redirectUrl', 'state', 'code_challenge', 'code_challenge_method'] as const

export function readConsentSearch(search: Record<string, unknown>): ConsentSearch {
  const read: ConsentSearch = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value === 'string') read[name] = value
    else if (value !== undefined) read.isAmbiguous = true
  }
  return read
}

/** Asked anew on every visit: the answer carries a token for one form. */
export const consentQuery = (appId: string, query: Omit<ConsentSearch, 'isAmbiguous'>) =>
  queryOptions({
    queryKey: ['consent', appId, query],
    queryFn: async () => (await send(getConsent, { path: { appId }, query })).data,
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
