import type { Generated, Selectable } from 'kysely'

export interface CreditTables {
  creditBalances: CreditBalancesTable
  creditEntries: CreditEntriesTable
  creditCodes: CreditCodesTable
}

export type CreditEntryRow = Selectable<CreditEntriesTable>
export type CreditKind = 'granted' | 'taken' | 'spent' | 'refunded'

interface CreditBalancesTable {
  storeId: string
  customerId: string
  currency: string
  balanceMinor: number
  lastNumber: number
}

interface CreditEntriesTable {
  storeId: string
  customerId: string
  currency: string
  number: number
  id: string
  dateCreated: Generated<Date>
  kind: CreditKind
  amountMinor: number
  orderId: string | null
  externalId: string | null
  reason: string | null
  actor: string | null
}

interface CreditCodesTable {
  storeId: string
  orderId: string
  codeHash: Buffer
  expiresAt: Date
  tries: Generated<number>
  sent: Generated<number>
}
