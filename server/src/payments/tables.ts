import type { Generated, Selectable } from 'kysely'

export interface PaymentTables {
  payments: PaymentsTable
  refunds: RefundsTable
  paymentSettings: PaymentSettingsTable
}

export type PaymentRow = Selectable<PaymentsTable>
export type RefundRow = Selectable<RefundsTable>

/** With the payment that it gives back. */
export type WaitingRefund = RefundRow & { payment: PaymentRow }

export type PaymentKind = 'payment' | 'refund' | 'dispute'
export type PaymentSettingsRow = Selectable<PaymentSettingsTable>

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

interface RefundsTable {
  storeId: string
  id: string
  orderId: string
  paymentId: string
  dateCreated: Generated<Date>
  amountMinor: number
  status: 'waiting' | 'done' | 'failed'
  actor: string | null
  reason: string | null
  returnItems: boolean
  failure: string | null
}

interface PaymentSettingsTable {
  storeId: string
  method: string
  id: string
  dateCreated: Generated<Date>
  isEnabled: boolean
  sealed: Buffer
  checkedAt: Date | null
  problem: string | null
}
