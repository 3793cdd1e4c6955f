import type { Generated, Selectable } from 'kysely'

export interface OrderTables {
  orders: OrdersTable
  orderLines: OrderLinesTable
  orderHistory: OrderHistoryTable
  reveals: RevealsTable
  storeDays: StoreDaysTable
  productDays: ProductDaysTable
}

export type OrderRow = Selectable<OrdersTable>
export type OrderLineRow = Selectable<OrderLinesTable>

export type OrderStatus =
  | 'Incomplete'
  | 'Pending'
  | 'PartiallyPaid'
  | 'Verifying'
  | 'Delivering'
  | 'Delivered'
  | 'Undeliverable'
  | 'Cancelled'
  | 'Refunded'
  | 'Disputed'

export interface CustomValue {
  id: string
  dateCreated: string
  key: string
  value: string
}

interface OrdersTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  origin: 'api' | 'checkout'
  key: string
  status: OrderStatus
  gateway: string
  customerId: string
  quantity: number
  currency: string
  exponent: number
  subtotalMinor: number
  discountMinor: number
  feeMinor: number
  costMinor: number
  paidMinor: Generated<number>
  refundedMinor: Generated<number>
  gatewayFeeMinor: Generated<number>
  platformFeeMinor: Generated<number>
  platformFeeReturnedMinor: Generated<number>
  couponId: string | null
  couponName: string | null
  couponPercentage: number | null
  transactionId: string | null
  cryptoAddress: string | null
  cryptoPrice: number | null
  customValues: Generated<CustomValue[]>
  metadata: Generated<Record<string, string>>
  returnUrl: string | null
  shouldSendReceipt: Generated<boolean>
  ipAddress: string | null
  network: string | null
  userAgent: string | null
  countryCode: string | null
  chatUserId: number | null
  chatUserName: string | null
  affiliateCode: string | null
  affiliateCustomerId: string | null
  affiliatePercentage: Generated<number>
  hasWarranty: Generated<boolean>
  isMarketplace: Generated<boolean>
  language: Generated<string>
  isStockHeld: Generated<boolean>
  expiresAt: Date | null
  paidAt: Date | null
  deliveredAt: Date | null
}

interface OrderLinesTable {
  storeId: string
  orderId: string
  productId: string
  position: number
  productName: string
  quantity: number
  costMinor: number
  discountMinor: number
  feeMinor: number
  feePercentage: Generated<number>
  isDynamic: boolean
  takesItems: boolean
  canWait: boolean
  subscriptionPeriod: string | null
  isWaiting: Generated<boolean>
  deliversFile: Generated<boolean>
  fileDownloads: Generated<number>
  fileCutAt: Date | null
  requestedAt: Date | null
  answer: Buffer | null
  failedAt: Date | null
  failure: string | null
  deliveredAt: Date | null
}

interface OrderHistoryTable {
  storeId: string
  orderId: string
  number: number
  id: string
  dateCreated: Generated<Date>
  kind: string
  fromStatus: OrderStatus | null
  toStatus: OrderStatus
  actor: string | null
  reason: string | null
  amountMinor: number | null
}

interface RevealsTable {
  storeId: string
  orderId: string
  id: string
  dateCreated: Generated<Date>
  productId: string | null
  ipAddress: string
  userAgent: string
}

interface StoreDaysTable {
  storeId: string
  day: string
  currency: string
  slot: number
  ordersCreated: Generated<number>
  ordersPaid: Generated<number>
  newCustomers: Generated<number>
  paidMinor: Generated<number>
  revenueMinor: Generated<number>
  refundedMinor: Generated<number>
}

interface ProductDaysTable {
  storeId: string
  day: string
  productId: string
  currency: string
  slot: number
  quantity: Generated<number>
  revenueMinor: Generated<number>
}
