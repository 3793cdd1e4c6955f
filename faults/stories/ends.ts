import { beginFileUpload, sendFilePart } from '../../contract/src/endpoints/file-uploads.ts'
import { clearItems } from '../../contract/src/endpoints/items.ts'
import { claimPayment } from '../../contract/src/endpoints/payments.ts'
import { cancelSubscription } from '../../contract/src/endpoints/subscriptions.ts'
import type { Annex } from '../tools/annex.ts'
import { answered } from '../tools/requests.ts'
import {
  ask,
  beginToPay,
  expectMail,
  letTimePass,
  payWithTestMoney,
  placeOrder,
  until,
  untilOrderIs,
} from '../tools/telling.ts'
import { daysLater } from './cards.ts'

/** Nobody pays. Only an order whose own time is over is ended. */
export async function orderExpires(annex: Annex): Promise<void> {
  const order = await placeOrder(annex, { gateway: 'test', emailAddress: 'late@example.com', fate: 'cancelled' })
  await letTimePass(
    annex,
    { queue: 'expire-order', data: { orderId: order.id } },
    { text: 'update orders set expires_at = now() where id = $1', values: [order.id] },
  )
  await untilOrderIs(annex, order, 'Cancelled')
}

/** The buyer says that it is paid, and the seller never looks. */
export async function claimForgotten(annex: Annex): Promise<void> {
  const order = await placeOrder(annex, { gateway: 'transfer', emailAddress: 'hand@example.com', fate: 'placed' })
  await beginToPay(annex, order)
  const path = { orderId: order.id }
  await answered((headers) =>
    annex.buyer(claimPayment, { path, body: { note: null }, headers: { ...headers, 'x-order-key': order.key } }),
  )
  await letTimePass(annex, { queue: 'end-claim', data: { orderId: order.id } })
  await untilOrderIs(annex, order, 'Incomplete')
}

/** The seller ends a subscription: nothing is renewed, and at its end the customer is told, once. */
export async function subscriptionEnds(annex: Annex): Promise<void> {
  const emailAddress = 'leaver@example.com'
  const order = await placeOrder(annex, { gateway: 'test', emailAddress, productId: annex.products.club })
  await payWithTestMoney(annex, order)
  await untilOrderIs(annex, order, 'Delivered')
  const [subscription] = await ask<{ id: string }>(
    annex,
    "select id from subscriptions where store_id = $1 and gateway = 'test'",
    [annex.storeId],
  )
  const subscriptionId = subscription?.id ?? ''
  await answered(() => annex.seller(cancelSubscription, { path: { storeId: annex.storeId, subscriptionId } }))
  await letTimePass(
    annex,
    { queue: 'end-subscription', data: { subscriptionId } },
    { text: daysLater, values: [subscriptionId, 34] },
  )
  const ended = 'select from subscriptions where id = $1 and ended_at is not null'
  await until('a subscription ends', async () => (await ask(annex, ended, [subscriptionId])).length === 1)
  expectMail(annex, emailAddress, /subscription has ended/)
}

/** Cleared items can be had back for a month, and then are gone. */
export async function itemsPurged(annex: Annex): Promise<void> {
  const { storeId } = annex
  const productId = annex.products.cleared
  await answered(() => annex.seller(clearItems, { path: { storeId, productId } }))
  const monthAgo = "update item_positions set cleared_at = now() - interval '31 days' where product_id = $1"
  await letTimePass(
    annex,
    { queue: 'purge-cleared-items', data: { productId } },
    { text: monthAgo, values: [productId] },
  )
  const left = 'select from items where store_id = $1 and product_id = $2'
  await until('cleared items are gone', async () => (await ask(annex, left, [storeId, productId])).length === 0)
  annex.items.delete(productId)
}

/** A file that is sent in parts, and given up after the first. */
export async function uploadForgotten(annex: Annex): Promise<void> {
  const path = { storeId: annex.storeId, productId: annex.products.large }
  const { data: upload } = await answered(() =>
    annex.seller(beginFileUpload, { path, body: { fileName: 'large.bin', bytes: 1_000_000 } }),
  )
  const part = {
    path: { ...path, uploadId: upload.id },
    query: { offset: 0 },
    upload: new File(['x'.repeat(1000)], 'x'),
  }
  await answered(() => annex.seller(sendFilePart, part).catch(alreadyThere))
  const dayAgo = "update file_uploads set touched_at = now() - interval '25 hours' where id = $1"
  await letTimePass(
    annex,
    { queue: 'expire-file-upload', data: { id: upload.id } },
    { text: dayAgo, values: [upload.id] },
  )
  const left = 'select from file_uploads where id = $1'
  await until('an upload is given up', async () => (await ask(annex, left, [upload.id])).length === 0)
}

/** The answer was lost, and the part was not. */
function alreadyThere(error: unknown): void {
  if (Object(error).status !== 409) throw error
}
