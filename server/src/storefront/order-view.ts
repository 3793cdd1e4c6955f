import type { PaymentStep } from '@keystall/contract/shapes/order'
import { type Html, trusted } from '@keystall/storefront/html'
import type { ShownOrder } from '@keystall/storefront/order'
import QRCode from 'qrcode'
import { affiliateOf } from '#affiliates/affiliate'
import { beginPayment } from '#orders/begin-payment'
import { takesCredit } from '#orders/credit-payment'
import { isUnpaid } from '#orders/status'
import type { OrderRow } from '#orders/tables'
import { listClaims } from '#payments/claim'
import { methodNamed } from '#payments/methods'
import { listProofs } from '#payments/proof'
import { noStep } from '#payments/step'
import { fromMinor } from '#platform/money/money'
import { Problem } from '#problem'
import { presentOwnAffiliate } from '#views/affiliate'
import { presentBuyerOrder } from '#views/buyer-order'
import { selectOrderDetails } from '#views/order'
import { selectAttachments } from '#views/ticket'
import { markdownOf } from './shop.ts'
import { toShownTicket } from './ticket-view.ts'
import type { StoreVisit } from './visit.ts'

/** The order's page. Items leave the server only when the buyer uncovers them. */
export async function openOrder(visit: StoreVisit, order: OrderRow, { isRevealed = false } = {}): Promise<ShownOrder> {
  const { platform, store } = visit
  const [view, [details], step, byHand, isCreditTaken] = await Promise.all([
    presentBuyerOrder(platform.db, platform, store, order),
    selectOrderDetails(platform.db, platform, store, [order]),
    stepOf(visit, order),
    byHandOf(visit, order),
    isOpen(order) && takesCredit(platform, store),
  ])
  if (!details) throw new Error('every order has its details')
  const attachments = await selectAttachments(
    platform.db,
    store,
    view.tickets.map(({ id }) => id),
  )
  const items = new Map(details.delivered.lines.map((line) => [line.productId, line.items]))
  const reviews = new Map(view.reviews.map((review) => [review.productId, review]))
  const delivered = new Map(details.lines.map(({ line }) => [line.productId, line.isDelivered]))
  return {
    id: order.id,
    key: order.key,
    dateCreated: order.dateCreated.toISOString(),
    status: order.status,
    gateway: order.gateway,
    isTest: order.gateway === 'test' && store.isTestMethodOn,
    currency: view.currency,
    cost: view.cost,
    amountPaid: view.amountPaid,
    amountRefunded: fromMinor(order.refundedMinor, order.currency),
    isPaid: order.paidAt !== null,
    discount: view.discount,
    fee: view.fee,
    expiresAt: order.expiresAt?.toISOString() ?? null,
    canBeCancelled: isUnpaid(order),
    lines: view.products.map(({ product, quantity }) => ({
      productId: product.id,
      name: product.name,
      cost: product.cost,
      quantity,
      imageName: product.imageNames[0] ?? null,
      items: isRevealed ? (items.get(product.id) ?? []) : null,
      isDelivered: delivered.get(product.id) ?? false,
      review: reviews.get(product.id) ?? null,
    })),
    itemCount: details.delivered.items.length,
    files: view.files.map(({ id, friendlyName }) => ({ id, friendlyName })),
    deliveryMessage: markdownOf(platform.config, view.deliveryMessage),
    tickets: view.tickets.map((ticket) => toShownTicket(ticket, attachments)),
    affiliate: await affiliateSeen(visit, order),
    step,
    byHand,
    credit: isCreditTaken ? { isCodeSent: Object(visit.request.query)['code'] !== undefined } : null,
    qrCode: step?.uri ? await qrCodeOf(step.uri) : null,
  }
}

async function affiliateSeen({ platform, store }: StoreVisit, order: OrderRow): Promise<ShownOrder['affiliate']> {
  if (store.affiliatePercentage === 0 || order.status !== 'Delivered') return null
  return presentOwnAffiliate(platform.db, platform, store, await affiliateOf(platform.db, order))
}

/** Null when there is nothing to do, or the gateway cannot be reached now. */
async function stepOf({ platform, store }: StoreVisit, order: OrderRow): Promise<PaymentStep | null> {
  if (!isOpen(order) || order.gateway === 'test') return null
  if (methodNamed(order.gateway)?.isElsewhere) return { ...noStep, redirectUrl: payAddress(order) }
  try {
    return await beginPayment(platform, store, order)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return null
  }
}

function isOpen({ status, paidAt }: OrderRow): boolean {
  return paidAt === null && (status === 'Incomplete' || status === 'PartiallyPaid')
}

async function byHandOf({ platform: { db } }: StoreVisit, order: OrderRow): Promise<ShownOrder['byHand']> {
  if (order.paidAt !== null || !methodNamed(order.gateway)?.isByHand) return null
  const [[last], proofs] = await Promise.all([listClaims(db, order), listProofs(db, order)])
  return {
    proofs: proofs.map(({ friendlyName }) => friendlyName),
    rejection: last?.status === 'rejected' ? (last.reason ?? '–') : null,
  }
}

/** Leads on to the gateway's own page. */
function payAddress({ id, key }: OrderRow): string {
  return `/checkout/${id}/pay?key=${encodeURIComponent(key)}`
}

async function qrCodeOf(uri: string): Promise<Html> {
  return trusted(await QRCode.toString(uri, { type: 'svg', margin: 2 }))
}
