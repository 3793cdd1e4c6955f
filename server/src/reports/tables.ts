import type { Generated, Selectable } from 'kysely'

export interface ReportTables {
  storeReports: StoreReportsTable
}

export type ReportRow = Selectable<StoreReportsTable>

interface StoreReportsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  type: 'fraud' | 'counterfeit' | 'stolen' | 'illegal' | 'other'
  reason: string
  productId: string | null
  orderId: string | null
  gateway: string | null
  emailAddress: string | null
  network: string | null
  resolvedAt: Date | null
  resolvedBy: string | null
  note: string | null
}
