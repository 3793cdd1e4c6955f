import * as contract from '@keystall/contract/endpoints/privacy'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'

export const retentionQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['privacy', storeId],
    queryFn: async ({ signal }) => (await send(contract.getRetention, { path: { storeId }, signal })).data,
  })

export async function saveRetention(storeId: string, body: contract.RetentionForm) {
  const { data } = await send(contract.updateRetention, { path: { storeId }, body })
  queryClient.setQueryData(retentionQuery(storeId).queryKey, data)
}
