import type { Tx } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import { insertReport } from './queries.ts'

export interface PaymentReport {
  orderId: string
  gateway: string
  /** The gateway's own name of it: told twice, it is kept once. */
  externalId: string
  type: string
  reason: string
  reporter: string
}

/** Something a gateway wants the seller to know about a payment. False when it was told before. */
export function reportPayment(tx: Tx, store: StoreRow, report: PaymentReport): Promise<boolean> {
  return insertReport(tx, store, report)
}
