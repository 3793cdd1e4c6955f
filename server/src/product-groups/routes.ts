import * as contract from '@keystall/contract/endpoints/product-groups'
import { transact } from '#platform/db/transaction'
import { mayBeKept } from '#platform/http/caching'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { notFound } from '#problem'
import { findPublicGroup, loadProductGroup, selectProductGroupPage } from '#views/product-group'
import {
  addProductToGroup,
  changeProductGroup,
  createProductGroup,
  deleteProductGroup,
  removeProductFromGroup,
} from './product-group.ts'

export const productGroupRoutes: Implementation[] = [
  implement(contract.listProductGroups, async ({ db, platform, store, path, query }) =>
    paged(await selectProductGroupPage(db, platform, store, { page: path.page, count: query.count })),
  ),

  implement(contract.createProductGroup, ({ platform, store, body, once }) =>
    once(async (tx) => ok(await loadProductGroup(tx, platform, store, await createProductGroup(tx, store, body)))),
  ),

  implement(contract.updateProductGroup, async ({ db, platform, store, group, body }) => {
    await transact(db, (tx) => changeProductGroup(tx, group, body))
    return ok(await loadProductGroup(db, platform, store, group))
  }),

  implement(contract.viewProductGroup, async ({ db, platform, path, reply }) => {
    const found = await findPublicGroup(db, platform, path.groupId)
    if (!found) throw notFound('product group')
    mayBeKept(reply, found.store)
    return ok(found.group)
  }),

  implement(contract.addProductToGroup, async ({ db, platform, store, group, product }) => {
    await transact(db, (tx) => addProductToGroup(tx, group, product))
    return ok(await loadProductGroup(db, platform, store, group))
  }),

  implement(contract.removeProductFromGroup, async ({ db, platform, store, group, product }) => {
    await transact(db, (tx) => removeProductFromGroup(tx, group, product))
    return ok(await loadProductGroup(db, platform, store, group))
  }),

  implement(contract.deleteProductGroup, async ({ db, group }) => {
    await transact(db, (tx) => deleteProductGroup(tx, group))
    return ok(null, 'The group is deleted; its products stay')
  }),
]
