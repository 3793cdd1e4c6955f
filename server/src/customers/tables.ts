import type { Generated, Selectable } from 'kysely'

export interface CustomerTables {
  customers: CustomersTable
  customerBlocks: CustomerBlocksTable
}

export type CustomerRow = Selectable<CustomersTable>
export type CustomerBlockRow = Selectable<CustomerBlocksTable>
export type BlockKind = 'email' | 'address' | 'country'

interface CustomersTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  emailAddress: string
  linkedIntegrations: Generated<string[]>
  ipAddress: string | null
  notes: string | null
  blockedAt: Date | null
  firstPaidAt: Date | null
}

interface CustomerBlocksTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  kind: BlockKind
  value: string
  reason: string | null
}
