import * as contract from '@keystall/contract/endpoints/custom-domain'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'

const everyMs = 15_000

/** Asks the DNS; while the domain is not active, again and again. */
export const domainStatusQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['custom-domain', storeId, 'status'],
    queryFn: async () => (await send(contract.getCustomDomainStatus, { path: { storeId } })).data,
    refetchInterval: ({ state }) => (state.data === 'pending' || state.data === 'misconfigured' ? everyMs : false),
  })

export const domainRecordsQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['custom-domain', storeId, 'records'],
    queryFn: async () => (await send(contract.listCustomDomainRecords, { path: { storeId } })).data,
  })

async function reload(storeId: string) {
  await queryClient.invalidateQueries({ queryKey: ['custom-domain', storeId] })
  await queryClient.invalidateQueries({ queryKey: ['stores', storeId] })
  await queryClient.invalidateQueries({ queryKey: ['account'], exact: true })
}

export async function setDomain(storeId: string, body: contract.CustomDomainForm) {
  await send(contract.setCustomDomain, { path: { storeId }, body })
  await reload(storeId)
}

export async function removeDomain(storeId: string) {
  await send(contract.removeCustomDomain, { path: { storeId } })
  await reload(storeId)
}
