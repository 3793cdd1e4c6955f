import { setTimeout as sleep } from 'node:timers/promises'
import { downloadOrderFile, viewOrder } from '../../contract/src/endpoints/checkout.ts'
import { replaceProductFile } from '../../contract/src/endpoints/products.ts'
import { buyOne } from './buyers.ts'
import { answered, isPassing } from './requests.ts'
import type { Worker } from './worker.ts'

const linesMax = 8_000

/** Every line names the file, and the first says how many there are: half of one, or two mixed, can be told. */
export function contentOf(name: string): string {
  const lines = Number(name.split('-').at(-1))
  return `${name}\n`.repeat(lines)
}

/** The name of a whole file, undefined for anything else. */
export function nameOfWhole(content: string): string | undefined {
  const name = content.slice(0, content.indexOf('\n'))
  return name !== '' && content === contentOf(name) ? name : undefined
}

export async function uploadFiles({ seller, shop, ledger, isOver, random }: Worker, productId: string): Promise<void> {
  const files = { sent: [] as string[], lastAcknowledged: -1 }
  ledger.files.set(productId, files)
  const path = { storeId: shop.storeId, productId }
  while (!isOver()) {
    const name = `${productId}-${files.sent.length}-${1 + Math.floor(random() * linesMax)}`
    const index = files.sent.push(name) - 1
    try {
      await seller(replaceProductFile, { path, upload: new File([contentOf(name)], `${name}.txt`) })
      files.lastAcknowledged = index
      ledger.acknowledge('file', name)
    } catch (error) {
      if (!isPassing(error)) throw error
    }
    await sleep(50 + random() * 200)
  }
}

/** A buyer of the files who reads them over and over: each time one of them, whole. */
export async function readFiles(worker: Worker, productIds: readonly string[]): Promise<void> {
  const { buyer, ledger, isOver } = worker
  // Not before there is something to buy.
  for (const productId of productIds)
    while (!((ledger.files.get(productId)?.lastAcknowledged ?? -1) >= 0) && !isOver()) await sleep(50)
  const orders = []
  for (const productId of isOver() ? [] : productIds) orders.push(await buyOne(worker, productId, 'reader@example.com'))
  for (let turn = 0; !isOver(); turn += 1) {
    const order = orders[turn % orders.length]
    if (!order) return
    const headers = { 'x-order-key': order.key }
    const { data } = await answered(() => buyer(viewOrder, { path: { orderId: order.id }, headers }))
    const [file] = data.files
    if (!file) {
      ledger.find('a bought file was not there')
      continue
    }
    const content = await buyer(downloadOrderFile, { path: { orderId: order.id, fileId: file.id }, headers })
      .then((blob) => blob.text())
      .catch((error: unknown) => {
        // Replaced since we looked.
        if (isPassing(error) || Object(error).status === 404) return undefined
        throw error
      })
    if (content !== undefined && nameOfWhole(content) === undefined) ledger.find('a reader got half a file')
    await sleep(100)
  }
}
