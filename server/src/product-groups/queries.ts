import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import type { ProductGroupRow } from './tables.ts'

export function selectGroup(db: Db, store: StoreRow, id: string): Promise<ProductGroupRow | undefined> {
  return db
    .selectFrom('productGroups')
    .selectAll()
    .where('storeId', '=', store.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A group and the way to it by its id alone. */
export async function insertGroup(tx: Tx, store: StoreRow, name: string): Promise<ProductGroupRow> {
  const group = await tx
    .insertInto('productGroups')
    .values({ storeId: store.id, id: newId(), name })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx.insertInto('directory').values({ id: group.id, kind: 'group', storeId: store.id }).execute()
  return group
}

/** Undefined when the group was deleted meanwhile. */
export function renameGroup(tx: Tx, group: ProductGroupRow, name: string): Promise<ProductGroupRow | undefined> {
  return tx
    .updateTable('productGroups')
    .set({ name })
    .where('storeId', '=', group.storeId)
    .where('id', '=', group.id)
    .returningAll()
    .executeTakeFirst()
}

/** Keeps it from being deleted until the transaction ends. Undefined when it already was. */
export function holdGroup(tx: Tx, group: ProductGroupRow): Promise<ProductGroupRow | undefined> {
  return tx
    .selectFrom('productGroups')
    .selectAll()
    .where('storeId', '=', group.storeId)
    .where('id', '=', group.id)
    .forShare()
    .executeTakeFirst()
}

export async function insertMember(tx: Tx, member: { storeId: string; groupId: string; productId: string }) {
  await tx
    .insertInto('productGroupMembers')
    .values(member)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteMember(tx: Tx, member: { storeId: string; groupId: string; productId: string }) {
  await tx
    .deleteFrom('productGroupMembers')
    .where('storeId', '=', member.storeId)
    .where('groupId', '=', member.groupId)
    .where('productId', '=', member.productId)
    .execute()
}

export async function deleteGroupRows(tx: Tx, { storeId, id }: ProductGroupRow): Promise<void> {
  await tx.deleteFrom('productGroups').where('storeId', '=', storeId).where('id', '=', id).execute()
  await tx.deleteFrom('productGroupMembers').where('storeId', '=', storeId).where('groupId', '=', id).execute()
  await tx.deleteFrom('directory').where('id', '=', id).execute()
}
