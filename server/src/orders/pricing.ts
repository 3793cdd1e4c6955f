import { percentOf } from '#platform/money/money'

export interface PricedLine {
  productId: string
  quantity: number
  /** Of one. */
  costMinor: number
  /** What the payment method adds, in percent. */
  feePercentage: number
}

export interface Discount {
  percentage: number
  /** Empty: every product. */
  productIds: readonly string[]
}

export interface LinePrice extends PricedLine {
  subtotalMinor: number
  discountMinor: number
  feeMinor: number
}

export interface Price {
  lines: LinePrice[]
  subtotalMinor: number
  discountMinor: number
  feeMinor: number
  /** subtotal − discount + fee, for the order and for each line. */
  costMinor: number
}

/** The most that an order may cost, in minor units: far below what a number holds exactly. */
export const totalMinorMax = 1_000_000_000_000_000

/**
 * The discount is rounded half up once, on the total that it applies to, and spread over the lines so that they add up
 * to it. The fee is a percentage of each line's part of what is left: products may ask different ones.
 */
export function priceOf(lines: readonly PricedLine[], discount: Discount | null): Price {
  const subtotals = lines.map((line) => line.costMinor * line.quantity)
  const discounts = spread(
    discount?.percentage ?? 0,
    lines.map((line, index) => (isDiscounted(discount, line.productId) ? (subtotals[index] ?? 0) : 0)),
  )
  const fees = feesOf(
    lines.map((line, index) => ({
      percentage: line.feePercentage,
      minor: (subtotals[index] ?? 0) - (discounts[index] ?? 0),
    })),
  )
  const priced = lines.map((line, index) => ({
    ...line,
    subtotalMinor: subtotals[index] ?? 0,
    discountMinor: discounts[index] ?? 0,
    feeMinor: fees[index] ?? 0,
  }))
  const subtotalMinor = sum(subtotals)
  const discountMinor = sum(discounts)
  const feeMinor = sum(fees)
  return { lines: priced, subtotalMinor, discountMinor, feeMinor, costMinor: subtotalMinor - discountMinor + feeMinor }
}

function isDiscounted(discount: Discount | null, productId: string): boolean {
  return discount !== null && (discount.productIds.length === 0 || discount.productIds.includes(productId))
}

/** The percentage of the sum, shared out by rounding the running total: each part is within one unit of its own. */
function spread(percentage: number, parts: readonly number[]): number[] {
  let running = 0
  let given = 0
  return parts.map((part) => {
    running += part
    const due = percentOf(running, percentage)
    const share = due - given
    given = due
    return share
  })
}

/** Rounded once over all lines with the same percentage, which is nearly always all lines. */
function feesOf(parts: readonly { percentage: number; minor: number }[]): number[] {
  const running = new Map<number, { minor: number; given: number }>()
  return parts.map(({ percentage, minor }) => {
    const before = running.get(percentage) ?? { minor: 0, given: 0 }
    const due = percentOf(before.minor + minor, percentage)
    running.set(percentage, { minor: before.minor + minor, given: due })
    return due - before.given
  })
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
