import * as contract from '@keystall/contract/endpoints/keys'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await send(contract.listKeys)).data,
})

const reloadKeys = () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })

export async function makeKey(body: contract.KeyForm) {
  const { data } = await send(contract.createKey, { body })
  await reloadKeys()
  return data
}

export async function revokeKey(keyId: string) {
  await send(contract.revokeKey, { path: { keyId } })
  await reloadKeys()
}
