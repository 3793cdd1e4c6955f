import * as contract from '@keystall/contract/endpoints/customers'
import type { CustomerSummary } from '@keystall/contract/shapes/customer'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'
import { type PageQuery, rowsAPage } from '../ui/PagedTable.tsx'

const keyOf = (storeId: string) => ['customers', storeId]

export const customerPage =
  (storeId: string, search: string | undefined) =>
  (page: number): PageQuery<CustomerSummary> => ({
    queryKey: [...keyOf(storeId), 'page', search ?? '', page],
    queryFn: ({ signal }) =>
      search === undefined
        ? send(contract.listCustomers, { path: { storeId, page }, query: { count: rowsAPage }, signal })
        : send(contract.searchCustomers, {
            path: { storeId, page, query: search },
            query: { count: rowsAPage },
            signal,
          }),
  })

export const customerQuery = (storeId: string, customerId: string) =>
  queryOptions({
    queryKey: [...keyOf(storeId), customerId],
    queryFn: async ({ signal }) => (await send(contract.getCustomer, { path: { storeId, customerId }, signal })).data,
  })

export const blocksQuery = (storeId: string) =>
  queryOptions({
    queryKey: [...keyOf(storeId), 'blocks'],
    queryFn: async ({ signal }) => (await send(contract.listCustomerBlocks, { path: { storeId }, signal })).data,
  })

const reload = (storeId: string) => queryClient.invalidateQueries({ queryKey: keyOf(storeId) })

export async function saveNotes(storeId: string, customerId: string, notes: string) {
  const body = { notes: notes.trim() === '' ? null : notes }
  const { data } = await send(contract.updateCustomerNotes, { path: { storeId, customerId }, body })
  queryClient.setQueryData(customerQuery(storeId, customerId).queryKey, data)
}

export async function eraseCustomer(storeId: string, customerId: string, body: contract.ErasureForm) {
  await send(contract.eraseCustomer, { path: { storeId, customerId }, body })
  await reload(storeId)
  await queryClient.invalidateQueries({ queryKey: ['orders', storeId] })
}

export async function block(storeId: string, body: contract.CustomerBlockForm) {
  const { data } = await send(contract.createCustomerBlock, { path: { storeId }, body })
  await reload(storeId)
  return data
}

export async function liftBlock(storeId: string, blockId: string) {
  await send(contract.deleteCustomerBlock, { path: { storeId, blockId } })
  await reload(storeId)
}
