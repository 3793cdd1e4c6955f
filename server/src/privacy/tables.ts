import type { Generated, Selectable } from 'kysely'

export interface PrivacyTables {
  storeRetention: StoreRetentionTable
}

export type RetentionRow = Selectable<StoreRetentionTable>

interface StoreRetentionTable {
  storeId: string
  keepAddressesDays: number | null
  keepTicketsDays: number | null
  addressesForgottenUntil: Generated<Date>
  ticketsForgottenUntil: Generated<Date>
}
