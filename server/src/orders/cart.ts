import { reachableVisibilities } from '@keystall/contract/shapes/product'
import { methodsOf } from '#payments/methods'
import { exponentOf } from '#platform/money/money'
import { invalid, notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import type { CartCoupon, CartProduct, Surroundings } from './cart-queries.ts'
import { type Price, priceOf, totalMinorMax } from './pricing.ts'

export interface CartForm {
  items: readonly { productId: string; quantity: number }[]
  /** Null in a quote: then there is no fee. */
  gateway: string | null
  couponCode: string | null
  /** Undefined in a quote, which asks for none. */
  customValues?: readonly { key: string; value: string }[] | null
}

/** One product of the cart, however many lines name it. */
export interface CartLine {
  product: CartProduct
  quantity: number
  /** The places in the form's `items`. */
  places: number[]
  /** Whether it hands over items, and whether some are to be taken now. */
  takesItems: boolean
  isTakenNow: boolean
}

export interface Cart {
  lines: CartLine[]
  coupon: CartCoupon | null
  gateway: string
  price: Price
  currency: string
  exponent: number
}

export type Reasons = Record<string, string>

export const couponRefused = 'cannot be used'

/**
 * The cart with its price, or a refusal that names everything that is wrong with it. Prices come from what is stored;
 * `isBehindVpn` is what is known of the buyer's address.
 */
export function readCart(
  store: StoreRow,
  form: CartForm,
  { products, coupon, currency, ...switches }: Surroundings,
  { isBehindVpn }: { isBehindVpn: boolean },
): Cart {
  const lines = linesOf(form, products)
  const usable = coupon && lines.some(({ product }) => isCouponFor(coupon, product)) ? coupon : null
  const price = priceWith(lines, usable, form.gateway)
  const owesNothing = price.costMinor === 0
  const reasons: Reasons = {
    ...lineReasons(lines, isBehindVpn),
    ...(form.couponCode !== null && !usable ? { couponCode: couponRefused } : {}),
    ...(owesNothing
      ? {}
      : gatewayReasons(
          form.gateway,
          lines,
          methodsOf(store, { enabled: switches.enabledMethods, disabled: switches.disabledMethods }).map(
            ({ id }) => id,
          ),
        )),
    ...(form.customValues === undefined ? {} : customValueReasons(form.customValues ?? [], lines)),
    ...(price.subtotalMinor > totalMinorMax ? { items: 'cost more than one order can' } : {}),
  }
  if (Object.keys(reasons).length > 0) throw invalid(reasons)
  return {
    lines,
    coupon: usable,
    gateway: owesNothing ? 'free' : (form.gateway ?? ''),
    price,
    currency,
    exponent: exponentOf(currency) ?? 2,
  }
}

/** Stock ran out on these lines. */
export function stockReasons(lines: readonly CartLine[]): Reasons {
  return atQuantities(lines, ({ product }) => stockReason(product.available))
}

function linesOf({ items }: CartForm, products: readonly CartProduct[]): CartLine[] {
  const known = new Map(products.map((product) => [product.id, product]))
  const lines = new Map<string, CartLine>()
  for (const [place, { productId, quantity }] of items.entries()) {
    const product = known.get(productId)
    // One rule for all: what the public may not see cannot be bought, and nobody learns that it exists.
    if (!product || !reachableVisibilities.includes(product.visibility)) throw notFound('product')
    const line = lines.get(productId) ?? { product, quantity: 0, places: [], takesItems: false, isTakenNow: false }
    line.quantity += quantity
    line.places.push(place)
    lines.set(productId, line)
  }
  return [...lines.values()].map((line) => ({ ...line, ...takingOf(line) }))
}

/** A product hands over items unless it is dynamic, or is a file that never had any. */
function takingOf({ product, quantity }: CartLine) {
  const takesItems = !product.isDynamic && (product.hasItems || !product.hasFile)
  // Those who may wait leave what is there to those who have waited longer.
  const isTakenNow = takesItems && (!product.ignoreOutOfStock || (product.available >= quantity && !product.isAwaited))
  return { takesItems, isTakenNow }
}

function priceWith(lines: readonly CartLine[], coupon: CartCoupon | null, gateway: string | null): Price {
  const priced = lines.map(({ product, quantity }) => ({
    productId: product.id,
    quantity,
    costMinor: product.costMinor,
    feePercentage: gateway === null ? 0 : feeOf(product, gateway),
  }))
  return priceOf(priced, coupon && { percentage: coupon.percentageDecrease, productIds: coupon.enabledProductIds })
}

function feeOf({ additionalFees }: CartProduct, gateway: string): number {
  return Object.hasOwn(additionalFees, gateway) ? Number(additionalFees[gateway]) : 0
}

function isCouponFor({ enabledProductIds }: CartCoupon, { id }: CartProduct): boolean {
  return enabledProductIds.length === 0 || enabledProductIds.includes(id)
}

function lineReasons(lines: readonly CartLine[], isBehindVpn: boolean): Reasons {
  const blocked = lines.filter(({ product }) => isBehindVpn && product.shouldBlockVirtualPrivateNetworks)
  return {
    ...Object.fromEntries(
      blocked.flatMap(({ places }) =>
        places.map((place) => [`items.${place}.productId`, 'cannot be bought through a VPN or proxy']),
      ),
    ),
    ...atQuantities(lines, quantityReason),
  }
}

function quantityReason({ product, quantity, takesItems }: CartLine): string | undefined {
  const { minimumQuantity, maximumQuantity, available, ignoreOutOfStock } = product
  if (quantity < minimumQuantity) return `must be at least ${minimumQuantity}`
  if (maximumQuantity !== -1 && quantity > maximumQuantity) return `must be at most ${maximumQuantity}`
  return takesItems && !ignoreOutOfStock && available < quantity ? stockReason(available) : undefined
}

function stockReason(available: number): string {
  return available > 0 ? `is more than the ${available} in stock` : 'is out of stock'
}

function atQuantities(lines: readonly CartLine[], reasonOf: (line: CartLine) => string | undefined): Reasons {
  const reasons: Reasons = {}
  for (const line of lines) {
    const reason = reasonOf(line)
    if (reason !== undefined) for (const place of line.places) reasons[`items.${place}.quantity`] = reason
  }
  return reasons
}

function gatewayReasons(gateway: string | null, lines: readonly CartLine[], taken: readonly string[]): Reasons {
  if (gateway === null) return {}
  if (gateway === 'free') return { gateway: 'is only for orders that cost nothing' }
  if (!taken.includes(gateway)) return { gateway: 'is not taken by this store' }
  const refusing = lines.find(({ product }) => product.blacklistedPaymentGateways.includes(gateway))
  return refusing ? { gateway: `cannot be used for ${refusing.product.name}` } : {}
}

function customValueReasons(values: readonly { key: string }[], lines: readonly CartLine[]): Reasons {
  const wanted = new Set(lines.flatMap(({ product }) => product.customValueKeys))
  const given = new Set<string>()
  const reasons: Reasons = {}
  for (const [place, { key }] of values.entries()) {
    if (!wanted.has(key)) reasons[`customValues.${place}.key`] = 'is not asked for'
    else if (given.has(key)) reasons[`customValues.${place}.key`] = 'is answered twice'
    given.add(key)
  }
  const missing = [...wanted].filter((key) => !given.has(key))
  if (missing.length > 0) reasons['customValues'] = `must answer ${missing.join(', ')}`
  return reasons
}
