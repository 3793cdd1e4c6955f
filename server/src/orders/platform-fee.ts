import { planOf } from '#account/plan'
import { creditReferral } from '#account/referral'
import { percentOf } from '#platform/money/money'
import type { Change } from './change.ts'
import type { OrderRow } from './tables.ts'

/** No money came by these. */
const withoutFee = ['free', 'test', 'balance']

/** What the platform keeps of the order's price, by its seller's plan. Nothing, unless the operator says otherwise. */
export async function platformFeeOf({ tx, platform: { config }, store }: Change, order: OrderRow): Promise<number> {
  if (config.platformFees.size === 0 || withoutFee.includes(order.gateway)) return 0
  const plan = await planOf(tx, store.ownerId)
  const percentage = config.platformFees.get(plan) ?? config.platformFees.get('default') ?? 0
  return percentOf(order.costMinor, percentage)
}

/** Whoever referred the seller has a share in it. Shares are counted in US cents, so only of orders in dollars. */
export async function shareFee({ tx, platform: { config }, store }: Change, order: OrderRow): Promise<void> {
  if (order.platformFeeMinor === 0 || order.currency !== 'USD') return
  const fee = { sellerId: store.ownerId, source: `order ${order.id}`, feeCents: order.platformFeeMinor }
  await creditReferral(tx, config, fee)
}
