import type { Generated, Selectable } from 'kysely'

export interface SubscriptionTables {
  subscriptions: SubscriptionsTable
  subscriptionPeriods: SubscriptionPeriodsTable
}

export type SubscriptionRow = Selectable<SubscriptionsTable>

interface SubscriptionsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  customerId: string
  productId: string
  startDate: Date
  expirationDate: Date
  period: string
  quantity: number
  gateway: string
  cancelledAt: Date | null
  endedAt: Date | null
  renewalOrderId: string | null
  renewedUntil: Date | null
}

interface SubscriptionPeriodsTable {
  storeId: string
  orderId: string
  productId: string
  subscriptionId: string
  dateCreated: Generated<Date>
  withdrawnAt: Date | null
}
