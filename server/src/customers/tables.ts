import type { Generated, Selectable } from 'kysely'

export interface CustomerTables {
  customers: CustomersTable
  customerBlocks: CustomerBlocksTable
  customerLinks: CustomerLinksTable
  customerSessions: CustomerSessionsTable
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
  erasedAt: Date | null
  /** When the customer said that no more mails are wanted but those about orders and tickets. */
  unsubscribedAt: Date | null
  affiliateCode: string | null
}

interface CustomerBlocksTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  kind: BlockKind
  value: string
  reason: string | null
}

interface CustomerLinksTable {
  storeId: string
  tokenHash: Buffer
  customerId: string
  dateCreated: Generated<Date>
  expiresAt: Date
}

interface CustomerSessionsTable {
  storeId: string
  tokenHash: Buffer
  customerId: string
  dateCreated: Generated<Date>
  expiresAt: Date
}
