import * as contract from '@keystall/contract/endpoints/items'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'
import { type ProductPath, productsQuery } from './products.ts'

export const itemsAPage = 100

const keyOf = ({ storeId, productId }: ProductPath) => ['items', storeId, productId]

export const itemPageQuery = (path: ProductPath, page: number) =>
  queryOptions({
    queryKey: [...keyOf(path), page],
    queryFn: ({ signal }) =>
      send(contract.listItems, { path: { ...path, page }, query: { count: itemsAPage }, signal }),
    placeholderData: keepPreviousData,
  })

export async function reloadItems(path: ProductPath) {
  await queryClient.invalidateQueries({ queryKey: keyOf(path) })
  await queryClient.invalidateQueries({ queryKey: productsQuery(path.storeId).queryKey })
}

export const appendItems = async (path: ProductPath, items: readonly string[]) =>
  (await send(contract.appendItems, { path, body: { items: [...items] } })).message

export async function removeItems(path: ProductPath, items: readonly string[]) {
  await send(contract.removeItems, { path, body: { items: [...items] } })
  await reloadItems(path)
}

export async function clearItems(path: ProductPath) {
  await send(contract.clearItems, { path })
  await reloadItems(path)
}

export async function restoreItems(path: ProductPath) {
  const { message } = await send(contract.restoreItems, { path })
  await reloadItems(path)
  return message
}

export const findKnownItems = async (path: ProductPath, items: readonly string[], signal: AbortSignal) =>
  (await send(contract.findKnownItems, { path, body: { items: [...items] }, signal })).data
