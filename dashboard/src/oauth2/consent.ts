import { getConsent } from '@keystall/contract/endpoints/oauth2'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../api.ts'
import type { ConsentSearch } from './search.ts'

/** Asked anew on every visit: the answer carries a token for one form. */
export const consentQuery = (appId: string, query: Omit<ConsentSearch, 'isAmbiguous'>) =>
  queryOptions({
    queryKey: ['consent', appId, query],
    queryFn: async () => (await send(getConsent, { path: { appId }, query })).data,
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
