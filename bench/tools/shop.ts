import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appendItems } from '../../contract/src/endpoints/items.ts'
import { createProduct } from '../../contract/src/endpoints/products.ts'
import { createStore } from '../../contract/src/endpoints/stores.ts'
import { type Embedded, startEmbedded } from '../../server/src/platform/embedded/postgres.ts'
import { freePort } from '../../server/test/free-ports.ts'
import { aKeyOfANewSeller, clientOf, type Product, startProduct, untilReady } from '../../server/test/product.ts'

export interface Shop {
  port: number
  product: Product
  /** The embedded database that the product runs on. */
  database: Embedded
  apiKey: string
  seller: ReturnType<typeof clientOf>
  storeId: string
  label: string
  productIds: string[]
  aProduct(name: string, items: number): Promise<string>
  append(productId: string, items: string[]): Promise<void>
  close(): Promise<void>
}

/** The product as it is started, with a store of some products with items. */
export async function openShop({ products, items }: { products: number; items: number }): Promise<Shop> {
  const settings = { dataDir: await mkdtemp(join(tmpdir(), 'keystall-bench-')), port: await freePort() }
  const product = startProduct({
    ...settings,
    nodeWords: ['--import', './bench/tools/meter.ts'],
    program: 'server/dist/main.js',
  })
  process.once('exit', () => product.child.kill('SIGTERM'))
  await untilReady(product, settings.port)
  const database = await startEmbedded({ dataDir: settings.dataDir, log: { info() {}, error: console.error } })
  const apiKey = await aKeyOfANewSeller({ ...settings, command: 'server/dist/keystall.js' })
  const seller = clientOf(settings.port, apiKey)
  const label = 'bench'
  const { data: store } = await seller(createStore, { body: { name: 'Bench', url: label } })
  const path = { storeId: store.id }
  const productIds: string[] = []
  for (let index = 0; index < products; index += 1) productIds.push(await aProduct(`Product ${index}`, items))

  return {
    port: settings.port,
    product,
    database,
    apiKey,
    seller,
    storeId: store.id,
    label,
    productIds,
    aProduct,
    append,
    close: async () => {
      await product.end('SIGTERM')
      await database.stop()
      await rm(settings.dataDir, { recursive: true, force: true })
    },
  }

  async function aProduct(name: string, count: number): Promise<string> {
    const body = { name, cost: 5, visibility: 0 as const, description: 'A key for **everything**. '.repeat(20) }
    const made = await seller(createProduct, { path, body })
    if (count > 0)
      await append(
        made.data.id,
        Array.from({ length: count }, (_, item) => `${name} key ${item}`),
      )
    return made.data.id
  }

  async function append(productId: string, texts: string[]): Promise<void> {
    await seller(appendItems, { path: { ...path, productId }, body: { items: texts } })
  }
}
