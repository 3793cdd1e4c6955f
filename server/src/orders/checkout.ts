import { setTimeout as sleep } from 'node:timers/promises'
import { guessesMax, noteWrongCode, tooManyGuesses } from '#coupons/coupon'
import { refuseBlocked } from '#customers/block'
import { draftEvent, type EventDraft } from '#events/draft'
import { publishSoon } from '#events/event'
import { methodNamed } from '#payments/methods'
import { insertAtEnd } from '#platform/db/at-end'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import { newToken } from '#platform/secrets/tokens'
import { itemsAStatement, takeItems } from '#products/stock'
import { invalid, Problem, tooMany } from '#problem'
import type { StoreRow } from '#stores/tables'
import { type Cart, type CartForm, type CartLine, couponRefused, readCart, stockReasons } from './cart.ts'
import { selectSurroundings, type Surroundings } from './cart-queries.ts'
import { expireOrderLater } from './expiry.ts'
import { orderEvent } from './order-event.ts'
import { orderPage } from './order-page.ts'
import { finishPayment } from './paying.ts'
import { insertOrder, type NewOrder, orderEntries, type Placed, type Placement } from './placement-queries.ts'
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
  /** Mails and the receipt speak it. */
  language: string
  /** Whether the marketplace led the buyer here. */
  isMarketplace: boolean
}

export interface OrderRequest extends CartForm {
  gateway: string
  emailAddress: string
  returnUrl: string | null
  sendReceipt: boolean
  affiliateCode: string | null
  customValues: readonly { key: string; value: string }[] | null
  metadata: Readonly<Record<string, string>>
  /** How long it can be paid, when that is not as the payment method says. */
  expiresAfterMinutes?: number
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

/** A moment ago another order made the customer, or the customer was erased: now it is known which. */
class Overtaken extends Error {}

export interface PlacedOrder {
  order: OrderRow
  /** Where the buyer pays, sees and keeps it. */
  checkoutUrl: string
}

/**
 * Places an order: takes its stock and its coupon, writes it down, and delivers it at once when nothing is owed; or
 * fails whole. `commit` runs the writing in one transaction, of which nothing remains when it throws.
 */
export async function placeOrder<T>(
  shop: Shop,
  { request, buyer }: { request: OrderRequest; buyer: Buyer },
  commit: (write: (tx: Tx) => Promise<PlacedOrder>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTurn(async () => {
        const { cart, surroundings } = await openCart(shop, request, { ...buyer, emailAddress: request.emailAddress })
        return commit((tx) => writeOrder(tx, shop, { request, buyer, cart, surroundings }))
      })
    } catch (error) {
      const mayHelp = error instanceof OutOfStock || error instanceof Overtaken
      if (!mayHelp || attempt === shortageTriesMax) throw error
      await sleep(shortagePauseMs * (1 + Math.random()))
    }
  }
}

/** What an order would cost: the same checks and the same price. */
export async function quoteCart(
  shop: Shop,
  form: CartForm,
  buyer: Pick<Buyer, 'network' | 'ipAddress' | 'countryCode'>,
) {
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
    affiliateCode: store.affiliatePercentage > 0 ? affiliateCode : null,
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

async function writeOrder(tx: Tx, shop: Shop, writing: Writing): Promise<PlacedOrder> {
  const { store, platform } = shop
  const placement = placementOf(store, writing)
  const { order } = await insertOrder(tx, await takeMuch(tx, placement)).then((placed) => refuseShort(writing, placed))
  await insertAtEnd(tx, orderEntries, { id: order.id, storeId: store.id })
  await publishSoon(tx)
  const { expiresAfterSeconds } = placement
  if (expiresAfterSeconds !== null) await expireOrderLater(tx, order, expiresAfterSeconds)

  const { activeDomain } = writing.surroundings
  const checkoutUrl = orderPage(platform.config, { url: store.url, activeDomain }, order)
  if (order.costMinor > 0) return { order, checkoutUrl }
  const paid = await finishPayment({ tx, platform, store, actor: null }, order, { movement: null, columns: {} })
  return { order: paid, checkoutUrl }
}

/** More items than one statement takes are taken before, in several. */
async function takeMuch(tx: Tx, placement: Placement): Promise<Placement> {
  const { order, taking } = placement
  const quantity = taking.reduce((sum, line) => sum + line.quantity, 0)
  if (quantity <= itemsAStatement) return placement
  const taken = await takeItems(tx, { storeId: order.storeId, orderId: order.id, lines: taking })
  return taken.length === quantity ? { ...placement, taking: [] } : placement
}

function refuseShort({ cart }: Writing, { order, taken, isRedeemed }: Placed): { order: OrderRow } {
  if (order) return { order }
  const short = cart.lines.filter(
    ({ product, quantity, isTakenNow }) => isTakenNow && (taken[product.id] ?? 0) < quantity,
  )
  if (short.length > 0) throw new OutOfStock(short)
  throw isRedeemed ? new Overtaken('the customer was made or erased by now') : invalid({ couponCode: couponRefused })
}

function placementOf(store: StoreRow, writing: Writing): Placement {
  const { cart, buyer, request, surroundings } = writing
  const customer = surroundings.customer ?? { id: newId(), emailAddress: request.emailAddress }
  const order = { ...rowOf(store, writing), id: newId(), customerId: customer.id }
  const { ipAddress } = buyer
  const lines = linesOf(cart)
  const told = { ...order, dateCreated: null, paidMinor: 0, refundedMinor: 0 }
  const named = lines.map(({ productId, productName, quantity }) => ({ productId, name: productName, quantity }))
  return {
    order,
    lines,
    taking: cart.lines
      .filter(({ isTakenNow }) => isTakenNow)
      .map(({ product, quantity }) => ({ productId: product.id, quantity })),
    customer: { isNew: surroundings.customer === null, emailAddress: customer.emailAddress, ipAddress },
    actor: buyer.actor,
    expiresAfterSeconds: expirySeconds(cart, request),
    events: [
      orderEvent('order.created', told, { emailAddress: customer.emailAddress, lines: named }),
      ...soldOutEvents(store, cart.lines),
    ],
  }
}

function soldOutEvents(store: StoreRow, lines: readonly CartLine[]): EventDraft[] {
  const soldOut = lines.filter(({ product, quantity, isTakenNow }) => isTakenNow && product.available === quantity)
  return soldOut.map(({ product }) => {
    const data = { storeId: store.id, productId: product.id, productName: product.name }
    return draftEvent({ type: 'product.out_of_stock', subjectId: product.id, data })
  })
}

/** Null when nothing is owed. */
function expirySeconds({ gateway, price }: Cart, { expiresAfterMinutes }: OrderRequest): number | null {
  if (price.costMinor === 0) return null
  return (expiresAfterMinutes ?? methodNamed(gateway)?.expiresAfterMinutes ?? 60) * 60
}

function rowOf(store: StoreRow, { request, buyer, cart, surroundings }: Writing): Omit<NewOrder, 'id' | 'customerId'> {
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
    language: buyer.language,
    isMarketplace: buyer.isMarketplace,
    affiliatePercentage: surroundings.affiliateCustomerId === null ? 0 : store.affiliatePercentage,
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
      subscriptionPeriod: product.subscriptionPeriod,
    }
  })
}
