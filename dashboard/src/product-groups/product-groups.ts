import * as contract from '@keystall/contract/endpoints/product-groups'
import { arrangeStore } from '@keystall/contract/endpoints/stores'
import type { ProductGroup } from '@keystall/contract/shapes/product-group'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'
import { arrange } from '../arranging.ts'

const pageSize = 100

/** All of them: a store has a handful, and they are put in order together. */
export const groupsQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['product-groups', storeId],
    queryFn: async ({ signal }) => {
      const groups: ProductGroup[] = []
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const path = { storeId, page }
        const answer = await send(contract.listProductGroups, { path, query: { count: pageSize }, signal })
        groups.push(...answer.data)
        pages = answer.pages
      }
      return groups.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))
    },
  })

const reload = (storeId: string) => queryClient.invalidateQueries({ queryKey: groupsQuery(storeId).queryKey })

export async function createGroup(storeId: string, body: contract.ProductGroupForm) {
  const { data } = await send(contract.createProductGroup, { path: { storeId }, body })
  await reload(storeId)
  return data
}

export interface GroupPath {
  storeId: string
  groupId: string
}

export async function renameGroup(path: GroupPath, body: contract.ProductGroupForm) {
  await send(contract.updateProductGroup, { path, body })
  await reload(path.storeId)
}

export async function deleteGroup(path: GroupPath) {
  await send(contract.deleteProductGroup, { path })
  await reload(path.storeId)
}

export async function addToGroup(path: GroupPath, productId: string) {
  await send(contract.addProductToGroup, { path: { ...path, productId } })
  await reload(path.storeId)
}

export async function removeFromGroup(path: GroupPath, productId: string) {
  await send(contract.removeProductFromGroup, { path: { ...path, productId } })
  await reload(path.storeId)
}

export function arrangeGroups(storeId: string, groups: readonly ProductGroup[]) {
  const body = groups.map(({ id }, order) => ({ id, isGroup: true, order }))
  const arranged = groups.map((group, order) => ({ ...group, order }))
  return arrange(groupsQuery(storeId), arranged, () => send(arrangeStore, { path: { storeId }, body }))
}
