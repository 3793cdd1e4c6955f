import type { FeeForm, ProductForm } from '@keystall/contract/endpoints/products'
import { visibilities } from '@keystall/contract/shapes/product'
import type { Db, Tx } from '#platform/db/database'
import { statement } from '#platform/db/statement'
import { toMinor } from '#platform/money/money'
import { checkWebhookUrl } from '#platform/outbound/address'
import type { Platform } from '#platform/platform'
import { hiddenCharacters, hiddenCharactersReason } from '#platform/text/hidden-characters'
import { invalid, notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { imageProblem } from './description.ts'
import {
  changeProductRow,
  insertProduct,
  markProductDeleted,
  type ProductColumns,
  unmarkProductDeleted,
  updateFee,
  updateProduct,
} from './queries.ts'
import { raiseRevision, raiseRevisionOfPrices, raiseRevisionWith, raiseRevisionWithout } from './revision.ts'
import type { ProductRow } from './tables.ts'

type Means = Pick<Platform, 'config'>

const nameCharactersMax = 64
const copySuffix = ' (copy)'
const onHoldReason = 'must be 0, 1 or 2: only the platform puts a product on hold'

/** Undefined when the store has none of that id, or no longer. */
export async function findProduct(db: Db, store: StoreRow, id: string): Promise<ProductRow | undefined> {
  const [found] = await productOf(db, { storeId: store.id, id })
  return found
}

const productOf = statement((db, { storeId, id }: { storeId: string; id: string }) =>
  db
    .selectFrom('products')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null),
)

export async function createProduct(
  tx: Tx,
  means: Means,
  store: StoreRow,
  form: Required<ProductForm>,
): Promise<ProductRow> {
  if (form.visibility === visibilities.onHold) throw invalid({ visibility: onHoldReason })
  const product = await insertProduct(tx, store, { ...columnsOf(means, store, form), visibility: form.visibility })
  await raiseRevisionOfPrices(tx, store)
  return product
}

export async function changeProduct(
  tx: Tx,
  means: Means,
  { store, product }: { store: StoreRow; product: ProductRow },
  form: Required<ProductForm>,
): Promise<void> {
  const { visibility } = form
  // A held product may be sent back as it was read.
  const isHolding = visibility === visibilities.onHold && product.visibility !== visibilities.onHold
  if (isHolding) throw invalid({ visibility: onHoldReason })
  const changed = await changeProductRow(tx, product, columnsOf(means, store, form), visibility)
  if (!changed) throw notFound('product')
  await raiseRevisionOfPrices(tx, store)
}

/** A percentage with more decimals could not be charged exactly. */
const feeDecimalsMax = 4

export async function setProductFee(tx: Tx, product: ProductRow, form: Required<FeeForm>): Promise<void> {
  const { paymentMethod, feePercentage } = form
  if (feePercentage !== null && Number(feePercentage.toFixed(feeDecimalsMax)) !== feePercentage) {
    throw invalid({ feePercentage: `must have at most ${feeDecimalsMax} decimals` })
  }
  const changed = await updateFee(tx, product, paymentMethod, feePercentage === null ? null : decimal(feePercentage))
  if (!changed) throw notFound('product')
  await raiseRevision(tx, product)
}

/** Pinned products stand before the others. */
export async function pinProduct(tx: Tx, product: ProductRow, isPinned: boolean): Promise<void> {
  if (!(await updateProduct(tx, product, { isPinned }))) throw notFound('product')
  await raiseRevision(tx, product)
}

/** Orders keep what they hold of it. */
export async function deleteProduct(tx: Tx, product: ProductRow): Promise<void> {
  const deleted = await markProductDeleted(tx, product)
  if (!deleted) throw notFound('product')
  await raiseRevisionWithout(tx, product)
}

/** As it was, featured too: until then only its mark was set. One that is there stays as it is. */
export async function restoreProduct(tx: Tx, store: StoreRow, productId: string): Promise<ProductRow> {
  const restored = await unmarkProductDeleted(tx, store, productId)
  if (!restored) throw notFound('product')
  if (restored.wasFeatured) await updateProduct(tx, restored, { wasFeatured: false })
  await raiseRevisionWith(tx, restored)
  return restored
}

/** The copy has no items and no file, and is private until its seller has looked at it. */
export async function duplicateProduct(tx: Tx, store: StoreRow, product: ProductRow): Promise<ProductRow> {
  const copy = await insertProduct(tx, store, {
    name: copyName(product.name),
    description: product.description,
    costMinor: product.costMinor,
    visibility: visibilities.private,
    tags: product.tags,
    webhookUrl: product.webhookUrl,
    isDynamic: product.isDynamic,
    ignoreOutOfStock: product.ignoreOutOfStock,
    shouldBlockVirtualPrivateNetworks: product.shouldBlockVirtualPrivateNetworks,
    isBestSeller: product.isBestSeller,
    fallbackToItems: product.fallbackToItems,
    imageNames: product.imageNames,
    customValueKeys: product.customValueKeys,
    deliveryMessage: product.deliveryMessage,
    minimumQuantity: product.minimumQuantity,
    maximumQuantity: product.maximumQuantity,
    type: product.type,
    subscriptionPeriod: product.subscriptionPeriod,
    blacklistedPaymentGateways: product.blacklistedPaymentGateways,
    additionalFees: product.additionalFees,
    metadata: product.metadata,
  })
  await raiseRevisionOfPrices(tx, store)
  return copy
}

function copyName(name: string): string {
  return [...name].slice(0, nameCharactersMax - copySuffix.length).join('') + copySuffix
}

/** Refuses with every field that the contract's form alone cannot judge. */
function columnsOf(means: Means, store: StoreRow, form: Required<ProductForm>): ProductColumns {
  const { cost, ...rest } = form
  const costMinor = toMinor(cost, store.preferredCurrency)
  const fields = problemsOf(means, form)
  if (costMinor === undefined) fields['cost'] = `has more decimals than ${store.preferredCurrency}`
  if (costMinor === undefined || Object.keys(fields).length > 0) throw invalid(fields)
  return {
    name: rest.name,
    description: rest.description,
    costMinor,
    tags: unique(rest.tags),
    webhookUrl: rest.webhookUrl,
    isDynamic: rest.isDynamic,
    ignoreOutOfStock: rest.ignoreOutOfStock,
    shouldBlockVirtualPrivateNetworks: rest.shouldBlockVirtualPrivateNetworks,
    isBestSeller: rest.isBestSeller,
    fallbackToItems: rest.fallbackToItems,
    customValueKeys: rest.customValueKeys ?? [],
    deliveryMessage: rest.deliveryMessage,
    minimumQuantity: rest.minimumQuantity,
    maximumQuantity: rest.maximumQuantity,
    type: rest.type,
    subscriptionPeriod: rest.type === 1 ? rest.subscriptionPeriod : null,
    blacklistedPaymentGateways: unique(rest.blacklistedPaymentGateways),
  }
}

function problemsOf({ config }: Means, form: Required<ProductForm>): Record<string, string> {
  const fields: Record<string, string | undefined> = {
    name: hiddenProblem(form.name),
    webhookUrl: webhookProblem(config, form),
    ignoreOutOfStock: form.isDynamic && !form.ignoreOutOfStock ? 'must be true for a dynamic product' : undefined,
    description: imageProblem(config, form.description),
    deliveryMessage: imageProblem(config, form.deliveryMessage),
    maximumQuantity: quantityProblem(form),
    subscriptionPeriod:
      form.type === 1 && form.subscriptionPeriod === null ? 'is required for a subscription' : undefined,
  }
  for (const [index, tag] of (form.tags ?? []).entries()) fields[`tags.${index}`] = hiddenProblem(tag)
  for (const [index, key] of (form.customValueKeys ?? []).entries()) {
    fields[`customValueKeys.${index}`] = hiddenProblem(key)
  }
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined))
}

function hiddenProblem(text: string): string | undefined {
  return hiddenCharacters(text) ? hiddenCharactersReason : undefined
}

function webhookProblem(config: Means['config'], form: Required<ProductForm>): string | undefined {
  if (form.webhookUrl === null) return form.isDynamic ? 'is required for a dynamic product' : undefined
  return checkWebhookUrl(form.webhookUrl, {
    allowCidrs: config.webhookAllowCidrs,
    ownHosts: [config.apiUrl.host, config.dashUrl.host, config.storeDomain],
  })
}

/** The contract lets the maximum be 0, which stops the sale. */
function quantityProblem({ minimumQuantity, maximumQuantity }: Required<ProductForm>): string | undefined {
  const isEmptyRange = maximumQuantity > 0 && maximumQuantity < minimumQuantity
  return isEmptyRange ? 'must not be less than minimumQuantity' : undefined
}

function unique<T>(list: readonly T[] | null): T[] {
  return [...new Set(list)]
}

function decimal(percentage: number): string {
  return percentage.toFixed(feeDecimalsMax).replace(/\.?0+$/, '')
}
