import type { ProductGroupForm } from '@keystall/contract/endpoints/product-groups'
import type { Db, Tx } from '#platform/db/database'
import { hiddenCharacters, hiddenCharactersReason } from '#platform/text/hidden-characters'
import { invalid, notFound } from '#problem'
import { raiseRevision } from '#products/revision'
import type { ProductRow } from '#products/tables'
import type { StoreRow } from '#stores/tables'
import {
  deleteGroupRows,
  deleteMember,
  holdGroup,
  insertGroup,
  insertMember,
  renameGroup,
  selectGroup,
} from './queries.ts'
import type { ProductGroupRow } from './tables.ts'

export function findProductGroup(db: Db, store: StoreRow, id: string): Promise<ProductGroupRow | undefined> {
  return selectGroup(db, store, id)
}

export async function createProductGroup(tx: Tx, store: StoreRow, form: ProductGroupForm): Promise<ProductGroupRow> {
  refuseInvalid(form)
  const group = await insertGroup(tx, store, form.name)
  await raiseRevision(tx, group)
  return group
}

/** Its properties only, never which products it holds. */
export async function changeProductGroup(tx: Tx, group: ProductGroupRow, form: ProductGroupForm): Promise<void> {
  refuseInvalid(form)
  const changed = await renameGroup(tx, group, form.name)
  if (!changed) throw notFound('product group')
  await raiseRevision(tx, group)
}

/** Nothing happens when the product is in the group already. */
export async function addProductToGroup(tx: Tx, group: ProductGroupRow, product: ProductRow): Promise<void> {
  const held = await holdGroup(tx, group)
  if (!held) throw notFound('product group')
  await insertMember(tx, { storeId: group.storeId, groupId: group.id, productId: product.id })
  await raiseRevision(tx, group)
}

/** Nothing happens when the product is not in the group. */
export async function removeProductFromGroup(tx: Tx, group: ProductGroupRow, product: ProductRow): Promise<void> {
  await deleteMember(tx, { storeId: group.storeId, groupId: group.id, productId: product.id })
  await raiseRevision(tx, group)
}

/** Its products stay in the store. */
export async function deleteProductGroup(tx: Tx, group: ProductGroupRow): Promise<void> {
  await deleteGroupRows(tx, group)
  await raiseRevision(tx, group)
}

function refuseInvalid({ name }: ProductGroupForm): void {
  if (hiddenCharacters(name)) throw invalid({ name: hiddenCharactersReason })
}
