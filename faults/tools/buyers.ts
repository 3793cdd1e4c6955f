import { setTimeout as sleep } from 'node:timers/promises'
import { CallFailure } from '../../contract/src/client.ts'
import { cancelOwnOrder, checkOut, payOrderAsTest, viewOrder } from '../../contract/src/endpoints/checkout.ts'
import { createOrder } from '../../contract/src/endpoints/orders.ts'
import { answered } from './requests.ts'
import type { Worker } from './worker.ts'

export interface Bought {
  id: string
  key: string
}

const pauseMsMax = 60

/** Buyers who try each step under one key until it is answered. */
export async function buyInTurns(worker: Worker, number: number): Promise<void> {
  const { random, isOver } = worker
  for (let count = 0; !isOver(); count += 1) {
    const emailAddress = `buyer${number}x${count % 50}@example.com`
    const order = await place(worker, { items: cart(worker), couponCode: coupon(worker), emailAddress })
    const chance = random()
    if (order && chance < 0.8) await pay(worker, order)
    else if (order && chance < 0.9) await cancel(worker, order)
    await sleep(random() * pauseMsMax)
  }
}

/** A paid order of one product. */
export async function buyOne(worker: Worker, productId: string, emailAddress: string): Promise<Bought> {
  const order = await place(worker, { items: [{ productId, quantity: 1 }], couponCode: null, emailAddress })
  if (!order) throw new Error('the product is sold out')
  await pay(worker, order)
  return order
}

function cart({ shop, random }: Worker) {
  const chance = random()
  if (chance < 0.1) return [{ productId: shop.scarce, quantity: 1 + Math.floor(random() * 3) }]
  if (chance < 0.25) return [{ productId: shop.dynamic, quantity: 1 }]
  return shop.keys.map((productId) => ({ productId, quantity: 1 + Math.floor(random() * 2) }))
}

const spent = new WeakSet<object>()

function coupon({ shop, random }: Worker): string | null {
  const chance = random()
  if (chance < 0.1 && !spent.has(shop)) return shop.fewCode
  return chance < 0.5 ? shop.couponCode : null
}

interface Cart {
  items: { productId: string; quantity: number }[]
  couponCode: string | null
  emailAddress: string
}

/** Undefined when it is sold out. Some come through the seller's own program, and stay unpaid for a while. */
async function place({ buyer, seller, shop, ledger, random }: Worker, cart: Cart): Promise<Bought | undefined> {
  const path = { storeId: shop.storeId }
  const body = { ...cart, gateway: 'test' as const }
  const isSellers = random() < 0.2
  try {
    const { data } = await answered((headers) =>
      isSellers ? seller(createOrder, { path, body, headers }) : buyer(checkOut, { path, body, headers }),
    )
    const { id, key } = Object(data[0]).order
    ledger.placed.set(id, { fate: 'placed', told: null })
    ledger.acknowledge('placed', id)
    return { id, key }
  } catch (error) {
    const isRefused = error instanceof CallFailure && error.status === 400
    if (!isRefused) throw error
    if (error.invalidFields.some(({ fieldName }) => fieldName === 'couponCode')) spent.add(shop)
    return undefined
  }
}

async function pay({ buyer, ledger }: Worker, { id, key }: Bought): Promise<void> {
  const path = { orderId: id }
  const body = { outcome: 'paid' as const }
  const { data: paid } = await answered((headers) =>
    buyer(payOrderAsTest, { path, body, headers: { ...headers, 'x-order-key': key } }),
  )
  ledger.placed.set(id, { fate: 'paid', told: paid.deliveredItem, paidAt: performance.now() })
  ledger.acknowledge('paid', id)
  const { data: seen } = await answered(() => buyer(viewOrder, { path, headers: { 'x-order-key': key } }))
  // A file's link is that of the present file, which others replace.
  const isFixed = paid.deliveredItem !== null && paid.files.length === 0
  if (isFixed && seen.deliveredItem !== paid.deliveredItem)
    ledger.find(`a buyer was told ${paid.deliveredItem} at the payment and shown ${seen.deliveredItem}`)
}

async function cancel({ buyer, ledger }: Worker, { id, key }: Bought): Promise<void> {
  await answered((headers) =>
    buyer(cancelOwnOrder, { path: { orderId: id }, headers: { ...headers, 'x-order-key': key } }),
  )
  ledger.placed.set(id, { fate: 'cancelled', told: null })
  ledger.acknowledge('cancelled', id)
}
