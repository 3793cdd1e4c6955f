import { setTimeout as sleep } from 'node:timers/promises'
import { noteWrongCode, redeemCoupon, tooManyGuesses, guessesMax } from '#coupons/coupon'
import { refuseBlocked } from '#customers/block'
import { customerOf } from '#customers/customer'
import { recordEvent } from '#events/event'
import { methodNamed } from '#payments/methods'
import type { Db, Tx } from '#platform/db/database'
import { isUuid, newId } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import { newToken } from '#platform/secrets/tokens'
import { takeItems } from '#products/stock'
import { invalid, Problem, tooMany } from '#problem'
import type { StoreRow } from '#stores/tables'
import { type Cart, type CartForm, type CartLine, couponRefused, readCart, stockReasons } from './cart.ts'
import { selectSurroundings, type Surroundings } from './cart-queries.ts'
import { expireOrderLater } from './expiry.ts'
import { addToDay } from './figure-queries.ts'
import { recordOrderEvent } from './order-event.ts'
import { finishPayment } from './paying.ts'
import { insertOrder, type NewOrderRow } from './placement-queries.ts'
import type { OrderRow } from './tables.ts'
import { inTurn } from './turns.ts'

/** Orders of one customer or one network that hold stock and are not paid, when the buyer orders in person. */
const openOrdersMax = { customer: 20, network: 50 }
const openOrdersRetrySeconds = 60

/** Others may hold the last items in transactions that are rolled back a moment later. */
const shortageTriesMax = 40
const shortagePauseMs = 15

export interface Buyer {
  origin: 'api' | 'checkout'
  /** Who placed the order, for its history. */
  actor: string
  ipAddress: string | null
  userAgent: string | null
  countryCode: string | null
  /** The true network of a buyer in person; null when a seller's key orders. */
  network: string | null
}

export interface OrderRequest extends CartForm {
  gateway: string
  emailAddress: string
  returnUrl: string | null
  sendReceipt: boolean
  affiliateCode: string | null
  customValues: readonly { key: string; value: string }[] | null
  metadata: Readonly<Record<string, string>>
}

export interface Shop {
  platform: Platform
  db: Db
  store: StoreRow
}

/** Somebody else was quicker, or is about to be. */
class OutOfStock extends Problem {
  constructor(lines: readonly CartLine[]) {
    super('ValidationError', 'There is not enough stock', { fields: stockReasons(lines) })
  }
}

/**
 * Places an order: takes its stock and its coupon, writes it down, and delivers it at once when nothing is owed; or
 * fails whole. `commit` runs the writing in one transaction, of which nothing remains when it throws.
 */
export async function placeOrder<T>(
  shop: Shop,
  { request, buyer }: { request: OrderRequest; buyer: Buyer },
  commit: (write: (tx: Tx) => Promise<OrderRow>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTurn(async () => {
        const { cart, surroundings } = await openCart(shop, request, { ...buyer, emailAddress: request.emailAddress })
        return commit((tx) => writeOrder(tx, shop, { request, buyer, cart, surroundings }))
      })
    } catch (error) {
      if (!(error instanceof OutOfStock) || attempt === shortageTriesMax) throw error
      await sleep(shortagePauseMs * (1 + Math.random()))
    }
  }
}

/** What an order would cost: the same checks and the same price. */
export async function quoteCart(shop: Shop, form: CartForm, buyer: Omit<Buyer, 'origin' | 'actor' | 'userAgent'>) {
  const { cart } = await openCart(shop, form, { ...buyer, emailAddress: null })
  return cart
}

async function openCart(
  { db, platform, store }: Shop,
  form: CartForm & { affiliateCode?: string | null },
  buyer: Pick<Buyer, 'network' | 'ipAddress' | 'countryCode'> & { emailAddress: string | null },
): Promise<{ cart: Cart; surroundings: Surroundings }> {
  const { affiliateCode = null } = form
  const { emailAddress, network } = buyer
  const asked = {
    emailAddress,
    network,
    productIds: form.items.map(({ productId }) => productId),
    couponCode: form.couponCode,
    affiliateId: affiliateCode !== null && isUuid(affiliateCode) ? affiliateCode : null,
  }
  const surroundings = await selectSurroundings(db, store, asked)
  const isLimited = platform.config.rateLimits !== undefined && network !== null
  if (isLimited) refuseTooMany(surroundings, form)
  if (emailAddress !== null && surroundings.hasBlocks) await refuseBlocked(db, store, { ...buyer, emailAddress })
  const isBehindVpn = await hasHiddenOrigin(platform, surroundings, buyer)
  try {
    return { cart: readCart(store, form, surroundings, { isBehindVpn }), surroundings }
  } catch (error) {
    const isWrongCode = error instanceof Problem && error.fields['couponCode'] === couponRefused
    if (isWrongCode && isLimited) await noteWrongCode(db, store, network)
    throw error
  }
}

/** Only asked where a product minds; an unknown address is welcome. */
async function hasHiddenOrigin(
  { geography }: Platform,
  { products }: Surroundings,
  { ipAddress }: { ipAddress: string | null },
): Promise<boolean> {
  const isAsked = products.some((product) => product.shouldBlockVirtualPrivateNetworks)
  return isAsked && ipAddress !== null && geography.isHosting(ipAddress)
}

function refuseTooMany(surroundings: Surroundings, { couponCode }: CartForm): void {
  if (couponCode !== null && surroundings.wrongCodes >= guessesMax) throw tooManyGuesses()
  const isHoarding =
    surroundings.openOrdersOfCustomer >= openOrdersMax.customer ||
    surroundings.openOrdersOfNetwork >= openOrdersMax.network
  if (isHoarding) throw tooMany(openOrdersRetrySeconds)
}

interface Writing {
  request: OrderRequest
  buyer: Buyer
  cart: Cart
  surroundings: Surroundings
}

async function writeOrder(tx: Tx, shop: Shop, writing: Writing): Promise<OrderRow> {
  const { store, platform } = shop
  const { cart, buyer, request, surroundings } = writing
  const id = newId()
  await takeStock(tx, { storeId: store.id, orderId: id }, cart.lines)
  const customerId = await customerOf(tx, store, {
    knownId: surroundings.customerId,
    emailAddress: request.emailAddress,
    ipAddress: buyer.ipAddress,
  })
  const expiresAfterSeconds = expirySeconds(cart)
  const order = await insertOrder(
    tx,
    { ...rowOf(store, writing), id, customerId },
    {
      lines: linesOf(cart),
      actor: buyer.actor,
      expiresAfterSeconds,
    },
  )
  const { coupon } = cart
  const isRedeemed = !coupon || (await redeemCoupon(tx, { storeId: store.id, orderId: id, couponId: coupon.id }))
  if (!isRedeemed) throw invalid({ couponCode: couponRefused })
  await addToDay(tx, order, { ordersCreated: 1 })
  await recordOrderEvent(tx, 'order.created', order)
  await recordSoldOut(tx, store, cart.lines)
  if (expiresAfterSeconds !== null) await expireOrderLater(tx, order, expiresAfterSeconds)

  if (order.costMinor > 0) return order
  return finishPayment({ tx, platform, store, actor: null }, order, { amountMinor: 0, columns: {} })
}

async function takeStock(
  tx: Tx,
  owner: { storeId: string; orderId: string },
  cart: readonly CartLine[],
): Promise<void> {
  const wanted = cart.filter(({ isTakenNow }) => isTakenNow)
  if (wanted.length === 0) return
  const lines = wanted.map(({ product, quantity }) => ({ productId: product.id, quantity }))
  const taken = Map.groupBy(await takeItems(tx, { ...owner, lines }), ({ productId }) => productId)
  const short = wanted.filter(({ product, quantity }) => (taken.get(product.id)?.length ?? 0) < quantity)
  if (short.length > 0) throw new OutOfStock(short)
}

async function recordSoldOut(tx: Tx, store: StoreRow, lines: readonly CartLine[]): Promise<void> {
  const soldOut = lines.filter(({ product, quantity, isTakenNow }) => isTakenNow && product.available === quantity)
  for (const { product } of soldOut) {
    const data = { storeId: store.id, productId: product.id, productName: product.name }
    await recordEvent(tx, store, { type: 'product.out_of_stock', subjectId: product.id, data })
  }
}

/** Null when nothing is owed. */
function expirySeconds({ gateway, price }: Cart): number | null {
  if (price.costMinor === 0) return null
  return (methodNamed(gateway)?.expiresAfterMinutes ?? 60) * 60
}

function rowOf(
  store: StoreRow,
  { request, buyer, cart, surroundings }: Writing,
): Omit<NewOrderRow, 'id' | 'customerId'> {
  const { price, coupon } = cart
  return {
    storeId: store.id,
    origin: buyer.origin,
    key: newToken(128),
    status: 'Incomplete',
    gateway: cart.gateway,
    quantity: cart.lines.reduce((sum, { quantity }) => sum + quantity, 0),
    currency: cart.currency,
    exponent: cart.exponent,
    subtotalMinor: price.subtotalMinor,
    discountMinor: price.discountMinor,
    feeMinor: price.feeMinor,
    costMinor: price.costMinor,
    couponId: coupon?.id ?? null,
    couponName: coupon?.name ?? null,
    couponPercentage: coupon?.percentageDecrease ?? null,
    customValues: request.customValues ?? [],
    metadata: request.metadata,
    returnUrl: request.returnUrl,
    shouldSendReceipt: request.sendReceipt,
    ipAddress: buyer.ipAddress,
    network: buyer.network,
    userAgent: buyer.userAgent,
    countryCode: buyer.countryCode,
    affiliateCode: request.affiliateCode,
    affiliateCustomerId: surroundings.affiliateCustomerId,
  }
}

function linesOf({ lines, price }: Cart) {
  return lines.map(({ product, quantity, takesItems }, index) => {
    const { discountMinor = 0, feeMinor = 0, feePercentage = 0 } = price.lines[index] ?? {}
    return {
      productId: product.id,
      productName: product.name,
      quantity,
      costMinor: product.costMinor,
      discountMinor,
      feeMinor,
      feePercentage,
      isDynamic: product.isDynamic,
      takesItems,
      canWait: product.ignoreOutOfStock,
    }
  })
}
