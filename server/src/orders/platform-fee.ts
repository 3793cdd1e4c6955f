import { planOf } from '#account/plan'
import { creditReferral, withdrawReferral } from '#account/referral'
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

/** Whoever referred the seller has a share in it. */
export async function shareFee({ tx, platform: { config }, store }: Change, order: OrderRow): Promise<void> {
  const { id: orderId, currency, platformFeeMinor: feeMinor } = order
  await creditReferral(tx, config, { sellerId: store.ownerId, orderId, currency, feeMinor })
}

/**
 * What the platform gives back of its fee once so much was refunded: the same share of it as of the price, and all of it
 * with all of the price. What was paid beyond the price bore no fee, and goes back first.
 */
export function returnedFeeOf(order: OrderRow, refundedMinor: number): number {
  const { platformFeeMinor, platformFeeReturnedMinor, costMinor, paidMinor } = order
  if (platformFeeMinor === 0) return 0
  const ofPrice = Math.max(0, refundedMinor - Math.max(0, paidMinor - costMinor))
  const [fee, refunded, cost] = [BigInt(platformFeeMinor), BigInt(ofPrice), BigInt(costMinor)]
  return Math.max(platformFeeReturnedMinor, Number((2n * fee * refunded + cost) / (2n * cost)))
}

/** The referrer's share follows the fee. */
export async function returnShare({ tx, store }: Change, before: OrderRow, after: OrderRow): Promise<void> {
  const { id: orderId, currency } = after
  const [beforeMinor, afterMinor] = [keptFee(before), keptFee(after)]
  await withdrawReferral(tx, { sellerId: store.ownerId, orderId, currency, beforeMinor, afterMinor })
}

function keptFee({ platformFeeMinor, platformFeeReturnedMinor }: OrderRow): number {
  return platformFeeMinor - platformFeeReturnedMinor
}
