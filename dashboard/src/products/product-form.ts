import type { FeeForm, ProductForm } from '@keystall/contract/endpoints/products'
import type { ProductDraft } from '@keystall/contract/endpoints/storefront'
import { paymentMethodIds } from '@keystall/contract/payment-methods'
import { type Product, visibilities } from '@keystall/contract/shapes/product'
import { numberOf } from '../ui/MoneyInput.tsx'

/** What is handed over: the product's form has only the second as a field, the others follow from what it has. */
export type Kind = 'goods' | 'dynamic'

export type Billing = 'once' | 'days' | 'months'

/** As the fields hold it: numbers are text until they are sent. */
export interface ProductValues {
  name: string
  cost: string
  visibility: '0' | '1' | '2' | '3'
  kind: Kind
  ignoreOutOfStock: boolean
  fallbackToItems: boolean
  webhookUrl: string
  description: string
  deliveryMessage: string
  tags: readonly string[]
  customValueKeys: readonly string[]
  minimumQuantity: string
  /** Empty means no limit. */
  maximumQuantity: string
  shouldBlockVirtualPrivateNetworks: boolean
  isBestSeller: boolean
  blacklistedPaymentGateways: readonly string[]
  /** How often it is paid; a number of days or months. */
  billing: Billing
  subscriptionPeriod: string
  /** Payment method to percentage; empty means none. */
  fees: Readonly<Record<string, string>>
}

export const newProduct: ProductValues = {
  name: '',
  cost: '',
  visibility: '0',
  kind: 'goods',
  ignoreOutOfStock: false,
  fallbackToItems: false,
  webhookUrl: '',
  description: '',
  deliveryMessage: '',
  tags: [],
  customValueKeys: [],
  minimumQuantity: '1',
  maximumQuantity: '',
  shouldBlockVirtualPrivateNetworks: false,
  isBestSeller: false,
  blacklistedPaymentGateways: [],
  billing: 'once',
  subscriptionPeriod: '1',
  fees: {},
}

export function valuesOf(product: Product): ProductValues {
  return {
    name: product.name,
    cost: String(product.cost),
    visibility: visibilityOf(product.visibility),
    kind: product.isDynamic ? 'dynamic' : 'goods',
    ignoreOutOfStock: product.ignoreOutOfStock,
    fallbackToItems: product.fallbackToItems,
    webhookUrl: product.webhookUrl ?? '',
    description: product.description ?? '',
    deliveryMessage: product.deliveryMessage ?? '',
    tags: product.tags,
    customValueKeys: product.customValueKeys,
    minimumQuantity: String(product.minimumQuantity),
    maximumQuantity: product.maximumQuantity === -1 ? '' : String(product.maximumQuantity),
    shouldBlockVirtualPrivateNetworks: product.shouldBlockVirtualPrivateNetworks,
    isBestSeller: product.isBestSeller,
    blacklistedPaymentGateways: product.blacklistedPaymentGateways,
    ...billingOf(product),
    fees: product.additionalFees,
  }
}

export function formOf(values: ProductValues): ProductForm {
  const isDynamic = values.kind === 'dynamic'
  return {
    name: values.name,
    cost: numberOf(values.cost),
    visibility: visibilityNumber(values.visibility),
    isDynamic,
    ignoreOutOfStock: isDynamic || values.ignoreOutOfStock,
    fallbackToItems: isDynamic && values.fallbackToItems,
    webhookUrl: textOrNull(values.webhookUrl),
    description: textOrNull(values.description),
    deliveryMessage: textOrNull(values.deliveryMessage),
    tags: [...values.tags],
    customValueKeys: values.customValueKeys.filter((key) => key.trim() !== ''),
    minimumQuantity: numberOf(values.minimumQuantity),
    maximumQuantity: values.maximumQuantity.trim() === '' ? -1 : numberOf(values.maximumQuantity),
    shouldBlockVirtualPrivateNetworks: values.shouldBlockVirtualPrivateNetworks,
    isBestSeller: values.isBestSeller,
    type: values.billing === 'once' ? 0 : 1,
    subscriptionPeriod: periodOf(values),
    blacklistedPaymentGateways: paymentMethodIds.filter((id) => values.blacklistedPaymentGateways.includes(id)),
  }
}

/** The fees that changed: each is saved by a call of its own. */
export function changedFees(values: ProductValues, saved: Readonly<Record<string, string>>): FeeForm[] {
  return paymentMethodIds
    .filter((id) => (values.fees[id] ?? '').trim() !== (saved[id] ?? ''))
    .map((paymentMethod) => {
      const typed = (values.fees[paymentMethod] ?? '').trim()
      return { paymentMethod, feePercentage: typed === '' ? null : numberOf(typed) }
    })
}

/** What the preview shows while somebody types: what is not right yet is shown as nothing. */
export function draftOf(values: ProductValues, saved: Product | undefined): ProductDraft {
  const cost = numberOf(values.cost)
  const limit = (typed: string, otherwise: number) => {
    const number = numberOf(typed)
    return Number.isInteger(number) && number >= 1 && number <= 100_000 ? number : otherwise
  }
  return {
    id: saved?.id ?? null,
    name: values.name === '' ? 'Your product' : values.name,
    cost: cost >= 0 && cost <= 1_000_000 ? cost : 0,
    description: textOrNull(values.description),
    tags: [...values.tags],
    customValueKeys: values.customValueKeys.filter((key) => key.trim() !== ''),
    imageNames: saved?.imageNames ?? [],
    blacklistedPaymentGateways: [...values.blacklistedPaymentGateways],
    minimumQuantity: limit(values.minimumQuantity, 1),
    maximumQuantity: limit(values.maximumQuantity, -1),
    isDynamic: values.kind === 'dynamic',
    ignoreOutOfStock: values.kind === 'dynamic' || values.ignoreOutOfStock,
    isBestSeller: values.isBestSeller,
  }
}

function billingOf({ subscriptionPeriod }: Product): Pick<ProductValues, 'billing' | 'subscriptionPeriod'> {
  const [, count, unit] = /^P(\d+)([DM])$/.exec(subscriptionPeriod ?? '') ?? []
  if (count === undefined) return { billing: 'once', subscriptionPeriod: '1' }
  return { billing: unit === 'M' ? 'months' : 'days', subscriptionPeriod: count }
}

function periodOf({ billing, subscriptionPeriod }: ProductValues): string | null {
  return billing === 'once' ? null : `P${subscriptionPeriod.trim()}${billing === 'months' ? 'M' : 'D'}`
}

function textOrNull(text: string) {
  return text.trim() === '' ? null : text
}

function visibilityOf(visibility: number): ProductValues['visibility'] {
  return (['0', '1', '2', '3'] as const).find((value) => value === String(visibility)) ?? '2'
}

function visibilityNumber(value: ProductValues['visibility']) {
  return Object.values(visibilities).find((visibility) => String(visibility) === value) ?? visibilities.private
}
