import { randomUUID } from 'node:crypto'
import type { Amounts, Basket, MethodChoice } from '@keystall/storefront/pages/basket'
import { buyerOf } from '#orders/buyer'
import type { Cart } from '#orders/cart'
import { quoteCart } from '#orders/checkout'
import { selectMethods } from '#payments/payment'
import { visitOf } from '#platform/http/visit'
import { fromMinor } from '#platform/money/money'
import { Problem } from '#problem'
import type { ProductDetails } from '#views/product'
import type { BasketLine } from './basket.ts'
import { selectReachable, toTile } from './tiles.ts'
import type { StoreVisit } from './visit.ts'

/** All that the basket's one form carries. */
export interface BasketForm {
  lines: BasketLine[]
  gateway: string
  couponCode: string
  emailAddress: string
  /** By the names of the products' fields. */
  customValues: ReadonlyMap<string, string>
  formKey: string
  /** The total that the page showed, with its currency, by payment method. */
  shownTotals: ReadonlyMap<string, string>
}

export const noForm: Omit<BasketForm, 'lines'> = {
  gateway: '',
  couponCode: '',
  emailAddress: '',
  customValues: new Map(),
  formKey: '',
  shownTotals: new Map(),
}

type Reasons = Readonly<Record<string, string>>

/** What can be bought of it, in the order in which it was put there. */
export async function selectWanted({ platform, store }: StoreVisit, lines: readonly BasketLine[]) {
  const rows =
    lines.length === 0
      ? []
      : await selectReachable(
          platform.db,
          store,
          lines.map(({ productId }) => productId),
        )
  const known = new Map(rows.map((row) => [row.id, row]))
  return lines.flatMap((line) => {
    const row = known.get(line.productId)
    return row ? [{ ...line, row }] : []
  })
}

/** The basket with its price by each payment method, from the same rule that an order is placed with. */
export async function openBasket(
  visit: StoreVisit,
  form: BasketForm,
  refused: { reasons: Reasons; message: string | undefined },
): Promise<Basket> {
  const { store } = visit
  const wanted = await selectWanted(visit, form.lines)
  const items = wanted.map(({ productId, quantity }) => ({ productId, quantity }))
  const quoted =
    items.length === 0
      ? { cart: null, reasons: {}, isCouponTaken: false }
      : await quoteAll(visit, items, form.couponCode)
  const reasons: Reasons = { ...quoted.reasons, ...refused.reasons }
  const couponCode = quoted.isCouponTaken ? form.couponCode : null
  const choices = quoted.cart
    ? await priceMethods(visit, { items, couponCode, rows: wanted.map(({ row }) => row) })
    : []
  const chosen = choices.find(({ id }) => id === form.gateway) ?? choices[0]
  const keys = [...new Set(wanted.flatMap(({ row }) => row.customValueKeys))]
  const customValues = keys.map((key) => ({ key, name: fieldOf(key) }))
  return {
    lines: wanted.map(({ row, quantity }, place) => ({
      product: toTile(row, store),
      quantity,
      reason: reasons[`items.${place}.quantity`] ?? reasons[`items.${place}.productId`],
    })),
    methods: choices,
    quote: chosen?.amounts ?? (quoted.cart && amountsOf(quoted.cart)),
    gateway: chosen?.id ?? '',
    couponCode: form.couponCode,
    isCouponTaken: quoted.isCouponTaken,
    customValues,
    draft: {
      values: {
        emailAddress: form.emailAddress,
        couponCode: form.couponCode,
        ...Object.fromEntries(keys.map((key) => [fieldOf(key), form.customValues.get(key) ?? ''])),
      },
      reasons: { ...reasons, ...customReasons(keys, form, refused.reasons) },
    },
    formKey: form.formKey || randomUUID(),
    message: refused.message ?? reasons['items'],
    embeddedId: null,
  }
}

/** A coupon that cannot be used is said, and the price is shown without it. */
async function quoteAll(visit: StoreVisit, items: BasketLine[], code: string) {
  const couponCode = code === '' ? null : code
  const first = await tryQuote(visit, { items, couponCode, gateway: null })
  if ('cart' in first) return { cart: first.cart, reasons: {}, isCouponTaken: couponCode !== null }
  const second = couponCode === null ? first : await tryQuote(visit, { items, couponCode: null, gateway: null })
  return { cart: 'cart' in second ? second.cart : null, reasons: first.reasons, isCouponTaken: false }
}

async function priceMethods(
  visit: StoreVisit,
  { items, couponCode, rows }: { items: BasketLine[]; couponCode: string | null; rows: ProductDetails[] },
): Promise<MethodChoice[]> {
  const methods = await selectMethods(visit.platform.db, visit.store)
  const taken = methods.filter(({ id }) => !rows.some((row) => row.blacklistedPaymentGateways.includes(id)))
  const choices = await Promise.all(
    taken.map(async ({ id }) => {
      const priced = await tryQuote(visit, { items, couponCode, gateway: id })
      return 'cart' in priced ? [{ id, amounts: amountsOf(priced.cart) }] : []
    }),
  )
  return choices.flat()
}

export function fieldOf(customKey: string): string {
  return `value ${customKey}`
}

/** A coupon that is guessed too often is refused like any other, beside its field. */
async function tryQuote(
  { platform, store, request }: StoreVisit,
  form: { items: BasketLine[]; couponCode: string | null; gateway: string | null },
): Promise<{ cart: Cart } | { reasons: Reasons }> {
  try {
    const buyer = await buyerOf(platform, visitOf(request))
    return { cart: await quoteCart({ db: platform.db, platform, store }, form, buyer) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'ValidationError') return { reasons: error.fields }
    if (error.code === 'RateLimited' && form.couponCode !== null)
      return { reasons: { couponCode: 'was tried too often: wait a while' } }
    throw error
  }
}

function amountsOf({ price, currency }: Cart): Amounts {
  return {
    subtotal: fromMinor(price.subtotalMinor, currency),
    discount: fromMinor(price.discountMinor, currency),
    fee: fromMinor(price.feeMinor, currency),
    total: fromMinor(price.costMinor, currency),
  }
}

/** The rule names answers by their place in what was sent: only those that were given. */
function customReasons(keys: string[], form: BasketForm, reasons: Reasons): Reasons {
  const given = keys.filter((key) => (form.customValues.get(key) ?? '') !== '')
  const missing = reasons['customValues'] === undefined ? [] : keys.filter((key) => !given.includes(key))
  return Object.fromEntries([
    ...missing.map((key) => [fieldOf(key), 'is needed']),
    ...given.flatMap((key, place) => {
      const reason = reasons[`customValues.${place}.value`] ?? reasons[`customValues.${place}.key`]
      return reason === undefined ? [] : [[fieldOf(key), reason]]
    }),
  ])
}
