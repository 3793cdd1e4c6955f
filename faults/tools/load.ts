import { setTimeout as sleep } from 'node:timers/promises'
import { quoteOrder } from '../../contract/src/endpoints/checkout.ts'
import { appendItems } from '../../contract/src/endpoints/items.ts'
import { buyInTurns } from './buyers.ts'
import { readFiles, uploadFiles } from './files.ts'
import { isPassing } from './requests.ts'
import { replyInTurns } from './tickets.ts'
import { attempt, type LoadMeans, type Worker } from './worker.ts'

export interface Load {
  /** Ends when what everybody has begun is answered. */
  stop(): Promise<void>
}

const buyers = 6

/** Purchases, uploads, downloads, replies and new items, steadily, until it is stopped. */
export function startLoad(means: LoadMeans): Load {
  let isOver = false
  const worker: Worker = {
    ...means,
    buyer: means.requests.client(means.port),
    seller: means.requests.client(means.sellersPort, { authorization: `Bearer ${means.apiKey}` }),
    isOver: () => isOver,
  }
  const work = [
    ...Array.from({ length: buyers }, (_, number) => buyInTurns(worker, number)),
    ...means.shop.files.map((productId) => uploadFiles(worker, productId)),
    readFiles(worker, means.shop.files),
    replyInTurns(worker),
    append(worker),
    browse(worker),
  ].map((each) => each.catch((error: unknown) => means.ledger.find(`a client was told: ${told(error)}`)))
  return {
    async stop() {
      isOver = true
      await Promise.all(work)
    },
  }
}

/** New stock, one item at a time. */
async function append({ seller, shop, ledger, isOver, random }: Worker): Promise<void> {
  const [productId = ''] = shop.keys
  const path = { storeId: shop.storeId, productId }
  for (let count = 0; !isOver(); count += 1) {
    const item = `appended ${count}`
    await attempt(ledger, ledger.appended, item, () => seller(appendItems, { path, body: { items: [item] } }))
    await sleep(100 + random() * 200)
  }
}

/** Somebody new, whom nothing from before the fault keeps waiting: what a purchase would cost, over and over. */
async function browse({ buyer, shop, isOver, random }: Worker): Promise<void> {
  const path = { storeId: shop.storeId }
  const items = shop.keys.map((productId) => ({ productId, quantity: 1 }))
  while (!isOver()) {
    await buyer(quoteOrder, { path, body: { items, couponCode: shop.couponCode, gateway: 'test' } }).catch(
      (error: unknown) => {
        if (!isPassing(error)) throw error
      },
    )
    await sleep(30 + random() * 40)
  }
}

function told(error: unknown): string {
  const { status, message, cause } = Object(error)
  return [status, message, Object(cause).message].filter(Boolean).join(' ')
}
