import { readFile } from 'node:fs/promises'
import { ProductForm } from '@keystall/contract/endpoints/products'
import { patientTimeouts } from '#platform/db/connection'
import { openDatabase, type Tx } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { validate } from '#platform/http/validation'
import { exponentOf } from '#platform/money/money'
import { Problem } from '#problem'
import { appendItems, findKnownItems } from '#products/items'
import { createProduct } from '#products/product'
import type { ProductRow } from '#products/tables'
import type { Running } from '#start'
import type { StoreRow } from '#stores/tables'
import { type Goods, readGoods } from './goods.ts'
import { CommandMistake } from './mistake.ts'
import { loadStore } from './store.ts'

/** Thrown to undo what a dry run did. */
class DryRun extends Error {}

interface Imported {
  name: string
  isNew: boolean
  items: number
  /** Items that the product has or had already, or that the file holds twice. */
  known: number
}

/** All of a file or nothing. A dry run does the same and undoes it, so what it tells is what would happen. */
export async function importGoods(
  { platform, databaseUrl }: Running,
  { storeId, file, isDry }: { storeId: string; file: string; isDry: boolean },
): Promise<object> {
  const store = await loadStore(platform.db, storeId)
  const text = await readText(file)
  const { form, goods } = readGoods(text, exponentOf(store.preferredCurrency) ?? 2)
  let imported: Imported[] = []
  // A large file takes longer than any request may.
  const database = openDatabase({ url: databaseUrl, poolSize: 1, timeouts: patientTimeouts })
  await transact(database.db, async (tx) => {
    imported = []
    for (const each of goods) imported.push(await importOne(tx, platform, store, each))
    if (isDry) throw new DryRun()
  })
    .catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error
    })
    .finally(() => database.close())
  return {
    form,
    isDryRun: isDry,
    created: imported.filter(({ isNew }) => isNew).length,
    found: imported.filter(({ isNew }) => !isNew).length,
    items: imported.reduce((sum, { items }) => sum + items, 0),
    known: imported.reduce((sum, { known }) => sum + known, 0),
    products: imported,
  }
}

/** Refused rather than guessed: a key with one wrong letter is no key. */
async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CommandMistake(`${file} cannot be used: ${error.message}`)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandMistake(`${file} is not in UTF-8: save it as "CSV UTF-8"`)
  }
}

async function importOne(tx: Tx, platform: Running['platform'], store: StoreRow, goods: Goods): Promise<Imported> {
  const { line, items, ...fields } = goods
  const present = await tx
    .selectFrom('products')
    .where('storeId', '=', store.id)
    .where('name', '=', goods.name)
    .where('deletedAt', 'is', null)
    .selectAll()
    .orderBy('id')
    .executeTakeFirst()
  const product = present ?? (await create(tx, platform, store, line, fields))
  const fresh = await withoutKnown(tx, platform, product, [...new Set(items)])
  await appendItems(tx, platform, product, fresh)
  return { name: goods.name, isNew: !present, items: fresh.length, known: items.length - fresh.length }
}

/** What no file tells. */
const untold = {
  ignoreOutOfStock: false,
  isDynamic: false,
  webhookUrl: null,
  deliveryMessage: null,
  customValueKeys: null,
  shouldBlockVirtualPrivateNetworks: false,
  blacklistedPaymentGateways: null,
  isBestSeller: false,
  type: 0,
  subscriptionPeriod: null,
  fallbackToItems: false,
} as const

async function create(
  tx: Tx,
  platform: Running['platform'],
  store: StoreRow,
  line: number,
  fields: Omit<Goods, 'line' | 'items'>,
): Promise<ProductRow> {
  const form: Required<ProductForm> = { ...untold, ...fields }
  try {
    validate(ProductForm, form)
    return await createProduct(tx, platform, store, form)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const [[field, reason] = ['', error.message]] = Object.entries(error.fields)
    throw new CommandMistake(`Record ${line}: ${field} ${reason}; nothing was imported`)
  }
}

async function withoutKnown(
  tx: Tx,
  platform: Running['platform'],
  product: ProductRow,
  items: string[],
): Promise<string[]> {
  const { onSale, sold } = await findKnownItems(tx, platform, product, items)
  const known = new Set([...onSale, ...sold])
  return items.filter((_, place) => !known.has(place))
}
