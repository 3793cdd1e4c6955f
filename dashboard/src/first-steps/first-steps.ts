import { getFirstSteps } from '@keystall/contract/endpoints/user'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../api.ts'

const everyMs = 4000

/** Looked at again and again until all is done: the last step happens in another tab. */
export const firstStepsQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['first-steps', storeId],
    queryFn: async () => (await send(getFirstSteps, { path: { storeId } })).data,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && Object.values(state.data).every(Boolean) ? false : everyMs),
  })
