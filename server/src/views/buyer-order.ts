import { isHandedOver } from '#orders/status'
import type { OrderRow } from '#orders/tables'
import { deliveredText } from '#orders/delivered'
import type { Db } from '#platform/db/database'
import { fromMinor } from '#platform/money/money'
import type { StoreRow } from '#stores/tables'
import { type OrderDetails, selectOrderDetails } from './order.ts'
import { toCard } from './product.ts'
import type { Means } from './public-store.ts'
import { selectReviewsOfOrder } from './review.ts'
import { selectTicketsOfOrder } from './ticket.ts'

/** What the holder of the order's key sees. */
export async function presentBuyerOrder(db: Db, means: Means, store: StoreRow, order: OrderRow) {
  const [details] = await selectOrderDetails(db, means, store, [order])
  if (!details) throw new Error('every order has its details')
  const [tickets, reviews] = await Promise.all([
    details.areTicketsThere ? selectTicketsOfOrder(db, means, store, order) : [],
    details.areReviewsThere ? selectReviewsOfOrder(db, store, order) : [],
  ])
  const { delivered, lines } = details
  const amount = (minor: number) => fromMinor(minor, order.currency)
  return {
    id: order.id,
    dateCreated: order.dateCreated,
    status: order.status,
    gateway: order.gateway,
    products: lines.map(({ line, product }) => ({
      product: {
        ...toCard(product, store, { areStatisticsHidden: store.hideStatistics }),
        name: line.productName,
        cost: amount(line.costMinor),
      },
      quantity: line.quantity,
    })),
    quantity: order.quantity,
    cost: amount(order.costMinor),
    amountPaid: amount(order.paidMinor - order.refundedMinor),
    discount: amount(order.discountMinor),
    fee: amount(order.feeMinor),
    currency: order.currency,
    deliveredItem: deliveredText(delivered),
    deliveryMessage: deliveryMessageOf(details),
    files: delivered.files,
    tickets,
    reviews,
    expiresAt: order.expiresAt,
  }
}

function deliveryMessageOf({ order, lines }: OrderDetails): string | null {
  if (!isHandedOver(order)) return null
  const messages = lines.flatMap(({ line, product }) =>
    !line.isDelivered || product.deliveryMessage === null ? [] : [product.deliveryMessage],
  )
  return messages.length === 0 ? null : messages.join('\n\n')
}
