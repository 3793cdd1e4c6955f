import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../../contract/src/client.ts'
import { quoteOrder } from '../../contract/src/endpoints/checkout.ts'
import { appendItems } from '../../contract/src/endpoints/items.ts'
import { buyInTurns } from './buyers.ts'
import { readFiles, uploadFiles } from './files.ts'
import type { Ledger, Written } from './ledger.ts'
import { isPassing, type Requests } from './requests.ts'
import type { Shop } from './shop.ts'
import { replyInTurns } from './tickets.ts'

export interface LoadMeans {
  shop: Shop
  ledger: Ledger
  requests: Requests
  /** Asked for each request: which of the servers it goes to. */
  port: () => number
  /** A key is good at the address for which it was made. */
  sellersPort: () => number
  apiKey: string
  random: () => number
}

/** What every part of the load is given. */
export interface Worker extends LoadMeans {
  buyer: Call
  seller: Call
  isOver: () => boolean
}

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

/** A write that has no Idempotency-Key is made once; without an answer nobody knows what became of it. */
export async function attempt(
  ledger: Ledger,
  written: Written,
  what: string,
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write()
    written.acknowledged.add(what)
    ledger.acknowledge('write', what)
  } catch (error) {
    if (!isPassing(error)) throw error
    written.unknown.add(what)
    await sleep(50)
  }
}

function told(error: unknown): string {
  const { status, message, cause } = Object(error)
  return [status, message, Object(cause).message].filter(Boolean).join(' ')
}
