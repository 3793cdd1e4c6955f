import * as contract from '@keystall/contract/endpoints/credit'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'

export const creditQuery = (storeId: string, customerId: string) =>
  queryOptions({
    queryKey: ['credit', storeId, customerId],
    queryFn: async ({ signal }) => (await send(contract.getCredit, { path: { storeId, customerId }, signal })).data,
  })

export async function grantCredit(
  path: { storeId: string; customerId: string },
  body: contract.GrantCreditForm,
  idempotencyKey: string,
) {
  const headers = { 'idempotency-key': idempotencyKey }
  const { data } = await send(contract.grantCredit, { path, body, headers })
  queryClient.setQueryData(creditQuery(path.storeId, path.customerId).queryKey, data)
}
