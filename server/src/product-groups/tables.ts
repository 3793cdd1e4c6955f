import type { Generated, Selectable } from 'kysely'

export interface ProductGroupTables {
  productGroups: ProductGroupsTable
  productGroupMembers: ProductGroupMembersTable
}

export type ProductGroupRow = Selectable<ProductGroupsTable>

interface ProductGroupsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  name: string
  position: Generated<number>
}

interface ProductGroupMembersTable {
  storeId: string
  groupId: string
  productId: string
  dateCreated: Generated<Date>
}
