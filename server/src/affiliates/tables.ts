import type { Generated, Selectable } from 'kysely'

export interface AffiliateTables {
  affiliateEntries: AffiliateEntriesTable
}

export type AffiliateEntryRow = Selectable<AffiliateEntriesTable>

interface AffiliateEntriesTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  customerId: string
  kind: 'earned' | 'reversed' | 'paid-out'
  orderId: string | null
  currency: string
  amountMinor: number
  note: string | null
  userId: string | null
}
