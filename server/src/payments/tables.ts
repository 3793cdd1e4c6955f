import type { Generated } from 'kysely'

export interface PaymentTables {
  payments: PaymentsTable
}

export type PaymentKind = 'payment' | 'refund' | 'dispute'

interface PaymentsTable {
  storeId: string
  id: string
  orderId: string
  dateCreated: Generated<Date>
  gateway: string
  externalId: string
  kind: PaymentKind
  amountMinor: number
  currency: string
  isSurplus: Generated<boolean>
}
