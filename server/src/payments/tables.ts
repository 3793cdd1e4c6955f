import type { Generated, Selectable } from 'kysely'

export interface PaymentTables {
  payments: PaymentsTable
  refunds: RefundsTable
  paymentSettings: PaymentSettingsTable
  paymentReports: PaymentReportsTable
  cardSessions: CardSessionsTable
  cardRefusals: CardRefusalsTable
  paymentClaims: PaymentClaimsTable
  paymentProofs: PaymentProofsTable
  cryptoRates: CryptoRatesTable
  cryptoWallets: CryptoWalletsTable
  cryptoAddresses: CryptoAddressesTable
  cryptoDues: CryptoDuesTable
  cryptoSightings: CryptoSightingsTable
  cryptoMoves: CryptoMovesTable
  cryptoCursors: CryptoCursorsTable
  cryptoSweeps: CryptoSweepsTable
  cryptoSweepSteps: CryptoSweepStepsTable
}

export type PaymentRow = Selectable<PaymentsTable>
export type RefundRow = Selectable<RefundsTable>

/** With the payment that it gives back. */
export type WaitingRefund = RefundRow & { payment: PaymentRow }

export type PaymentKind = 'payment' | 'refund' | 'dispute'
export type PaymentSettingsRow = Selectable<PaymentSettingsTable>
export type PaymentClaimRow = Selectable<PaymentClaimsTable>
export type PaymentProofRow = Selectable<PaymentProofsTable>
export type CardSessionRow = Selectable<CardSessionsTable>
export type CryptoAddressRow = Selectable<CryptoAddressesTable>
export type CryptoDueRow = Selectable<CryptoDuesTable>
export type CryptoSightingRow = Selectable<CryptoSightingsTable>
export type CryptoSweepRow = Selectable<CryptoSweepsTable>
export type CryptoSweepStepRow = Selectable<CryptoSweepStepsTable>

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

interface PaymentReportsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  orderId: string
  gateway: string
  externalId: string
  type: string
  reason: string
  reporter: string
  resolvedAt: Date | null
}

interface CardSessionsTable {
  storeId: string
  id: string
  orderId: string
  number: number
  dateCreated: Generated<Date>
  amountMinor: number
  url: string
  expiresAt: Date
  paymentIntent: string | null
  settledAt: Date | null
  cardCustomer: string | null
  cardMethod: string | null
}

interface CardRefusalsTable {
  storeId: string
  paymentIntent: string
}

interface PaymentClaimsTable {
  storeId: string
  id: string
  orderId: string
  dateCreated: Generated<Date>
  gateway: string
  note: string | null
  status: 'open' | 'confirmed' | 'rejected'
  decidedAt: Date | null
  decidedBy: string | null
  reason: string | null
}

interface PaymentProofsTable {
  storeId: string
  orderId: string
  id: string
  dateCreated: Generated<Date>
  friendlyName: string
  storageKey: string
  bytes: number
  sha256: Buffer
}

interface CryptoRatesTable {
  coin: string
  currency: string
  rate: number
  fetchedAt: Date
}

interface CryptoWalletsTable {
  method: string
  fingerprint: string
  nextIndex: number
}

interface CryptoAddressesTable {
  method: string
  target: string
  address: string
  storeId: string
  orderId: string
  fingerprint: string
  derivationIndex: number
  dateCreated: Generated<Date>
  lookAt: Generated<Date | null>
  priorUnits: Generated<string | null>
}

interface CryptoDuesTable {
  storeId: string
  orderId: string
  method: string
  number: number
  dateCreated: Generated<Date>
  expiresAt: Date
  dueMinor: number
  currency: string
  rate: number
  /** Whole units, as all amounts of a coin, which a number could not hold. */
  amountUnits: string
  confirmations: number
}

interface CryptoSightingsTable {
  method: string
  txid: string
  position: number
  target: string
  storeId: string
  orderId: string
  units: string
  height: number | null
  paidAt: Generated<Date>
  goneAt: Date | null
  dueNumber: number | null
  toldMinor: number | null
  isSettled: Generated<boolean>
  spentAt: Date | null
  isLost: Generated<boolean>
  losses: Generated<number>
}

interface CryptoMovesTable {
  method: string
  txid: string
  position: number
  target: string
  units: string
  feeUnits: string
  height: number
}

interface CryptoCursorsTable {
  method: string
  version: number
  tip: number
  cursor: unknown
  readAt: Generated<Date>
}

interface CryptoSweepsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  method: string
  recipient: string
  actor: string
  feePerGas: string
  status: Generated<'open' | 'done' | 'failed'>
}

interface CryptoSweepStepsTable {
  storeId: string
  sweepId: string
  target: string
  derivationIndex: number
  units: string
  gas: number
  fundUnits: string
  fundNonce: number | null
  fundRaw: string | null
  fundTxid: string | null
  raw: string | null
  txid: string | null
  status: Generated<'open' | 'done' | 'failed'>
  failure: string | null
}
