import type { Generated, Selectable } from 'kysely'

export interface CouponTables {
  coupons: CouponsTable
  couponUses: CouponUsesTable
  couponGuesses: CouponGuessesTable
}

export type CouponRow = Selectable<CouponsTable>

interface CouponsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  name: string
  uses: Generated<number>
  maximumUses: Generated<number>
  percentageDecrease: Generated<number>
  isEnabled: Generated<boolean>
  enabledProductIds: Generated<string[]>
  deletedAt: Date | null
}

interface CouponUsesTable {
  storeId: string
  orderId: string
  couponId: string
  dateCreated: Generated<Date>
}

interface CouponGuessesTable {
  storeId: string
  network: string
  hour: Date
  guesses: Generated<number>
}
