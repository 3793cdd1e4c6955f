import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { createUser, findUserByEmail } from '#account/account'
import { addFaqEntry } from '#faq/faq'
import { storeOrigin } from '#platform/addresses'
import type { Db, Tx } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { enqueue, job } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import { addProductToGroup, createProductGroup } from '#product-groups/product-group'
import { replaceFile, storeFile } from '#products/file'
import { addImage, productImageBytesMax, storeImage } from '#products/images'
import { appendItems } from '#products/items'
import { createProduct } from '#products/product'
import type { ProductRow } from '#products/tables'
import { arrangeStore } from '#stores/ordering'
import { changeStore, createStore } from '#stores/store'
import type { StoreRow } from '#stores/tables'
import { type DemoProduct, demoFaq, demoProducts, demoStore } from './demo-goods.ts'
import { drawPicture } from './demo-picture.ts'

/** Known to everybody, so only for a machine that one tries things on. */
const seller = { emailAddress: 'demo@keystall.localhost', userName: 'lantern', password: 'keystall-demo' }

export interface Demo {
  storeUrl: string
  dashUrl: string
  email: string
  password: string
}

/** Makes the demo seller and store once; afterwards only says where they are. */
export async function createDemo(platform: Platform): Promise<Demo> {
  const { config, db } = platform
  const known = await findUserByEmail(db, seller.emailAddress)
  if (!known) await transact(db, (tx) => openDemoStore(tx, platform))
  return {
    storeUrl: storeOrigin(config, { url: demoStore.url, activeDomain: null }),
    dashUrl: config.dashUrl.origin,
    email: seller.emailAddress,
    password: seller.password,
  }
}

/** Pictures and files take their time, so they come right after the start. */
export const dressDemoJob = job('dress-demo', Type.Object({ storeId: Type.String() }), { leaseSeconds: 120 })

/** Gives each product what it has not got yet. */
export async function dressDemo(db: Db, platform: Platform, storeId: string): Promise<void> {
  const products = await db
    .selectFrom('products')
    .leftJoin('productFiles', (join) =>
      join.onRef('productFiles.storeId', '=', 'products.storeId').onRef('productFiles.productId', '=', 'products.id'),
    )
    .where('products.storeId', '=', storeId)
    .where('products.deletedAt', 'is', null)
    .selectAll('products')
    .select('productFiles.id as fileId')
    .execute()
  for (const { fileId, ...product } of products) {
    const number = demoProducts.findIndex(({ name }) => name === product.name)
    const goods = demoProducts[number]
    if (!goods) continue
    if (goods.file && fileId === null) await addFile(platform, product, goods.file)
    if (product.imageNames.length === 0) await addPicture(platform, product, drawPicture(goods.colours, number))
  }
}

async function openDemoStore(tx: Tx, platform: Platform): Promise<void> {
  const user = await createUser(tx, { ...seller, isStaff: false, isConfirmed: true })
  const form = { ...emptyStoreForm, ...demoStore }
  const store = await createStore(tx, platform, { userId: user.id }, form)
  const products: ProductRow[] = []
  for (const goods of demoProducts) products.push(await addDemoProduct(tx, platform, store, goods))
  await addDemoGroups(tx, store, products)
  for (const entry of demoFaq) await addFaqEntry(tx, platform, store, entry)
  await arrangeStore(
    tx,
    store,
    products.map(({ id }, order) => ({ id, isGroup: false, order })),
  )
  await changeStore(tx, platform, store, { ...form, featuredProductId: products[0]?.id ?? null })
  await enqueue(tx, dressDemoJob, { storeId: store.id })
}

async function addDemoProduct(tx: Tx, platform: Platform, store: StoreRow, goods: DemoProduct): Promise<ProductRow> {
  const product = await createProduct(tx, platform, store, {
    name: goods.name,
    cost: goods.cost,
    visibility: goods.visibility ?? 0,
    ignoreOutOfStock: goods.webhookUrl !== undefined,
    isDynamic: goods.webhookUrl !== undefined,
    tags: goods.tags,
    webhookUrl: goods.webhookUrl ?? null,
    description: goods.description,
    deliveryMessage: goods.deliveryMessage ?? null,
    customValueKeys: goods.customValueKeys ?? null,
    minimumQuantity: 1,
    maximumQuantity: goods.maximumQuantity ?? -1,
    shouldBlockVirtualPrivateNetworks: false,
    type: 0,
    subscriptionPeriod: null,
    blacklistedPaymentGateways: null,
    isBestSeller: goods.isBestSeller ?? false,
    fallbackToItems: false,
  })
  if (goods.keys) await appendItems(tx, platform, product, keysOf(goods.keys))
  return product
}

async function addDemoGroups(tx: Tx, store: StoreRow, products: ProductRow[]): Promise<void> {
  const names = [...new Set(demoProducts.flatMap(({ group }) => group ?? []))]
  for (const name of names) {
    const group = await createProductGroup(tx, store, { name })
    const members = products.filter((_, number) => demoProducts[number]?.group === name)
    for (const product of members) await addProductToGroup(tx, group, product)
  }
}

function keysOf({ count, prefix }: { count: number; prefix: string }): string[] {
  return Array.from({ length: count }, () => {
    const parts = randomBytes(8).toString('hex').toUpperCase().match(/.{4}/g) ?? []
    return [prefix, ...parts].join('-')
  })
}

async function addFile(platform: Platform, product: ProductRow, { name, text }: { name: string; text: string }) {
  const file = await storeFile(platform, product, { stream: Readable.from([Buffer.from(text)]), fileName: name })
  await transact(platform.db, (tx) => replaceFile(tx, product, file))
}

async function addPicture(platform: Platform, product: ProductRow, picture: Buffer): Promise<void> {
  const name = await storeImage(platform, Readable.from([picture]), productImageBytesMax)
  await transact(platform.db, (tx) => addImage(tx, product, name))
}

const emptyStoreForm = {
  themeName: null,
  hideViewCount: false,
  hideStatistics: false,
  areItemsMailed: true,
  reviewRequestDays: null,
  affiliatePercentage: 0,
  isForcingDarkMode: false,
  preferredCurrency: 'USD',
  backgroundColor: null,
  cardBackgroundColor: null,
  navigationColor: null,
  buttonColor: null,
  featuredProductId: null,
  themeProperties: {},
}
