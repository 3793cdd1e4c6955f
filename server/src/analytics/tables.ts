import type { Generated } from 'kysely'

export interface AnalyticsTables {
  productSpans: ProductSpansTable
}

interface ProductSpansTable {
  storeId: string
  span: 'day' | 'month'
  firstDay: string
  productId: string
  currency: string
  quantity: Generated<number>
  revenueMinor: Generated<number>
}
