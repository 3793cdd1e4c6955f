import type { Generated, Selectable } from 'kysely'

export interface CustomerTables {
  customers: CustomersTable
}

export type CustomerRow = Selectable<CustomersTable>

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
