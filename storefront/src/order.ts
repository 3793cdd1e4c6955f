import type { OrderStatus, PaymentStep } from '@keystall/contract/shapes/order'
import type { Html } from './html.ts'
import type { ShownTicket } from './ticket.ts'

/** An order as its page shows it. */
export interface ShownOrder {
  id: string
  key: string
  dateCreated: string
  status: OrderStatus
  gateway: string
  isTest: boolean
  currency: string
  cost: number
  /** What of it has not gone back. */
  amountPaid: number
  amountRefunded: number
  /** Whether there is a receipt. */
  isPaid: boolean
  discount: number
  fee: number
  expiresAt: string | null
  canBeCancelled: boolean
  lines: OrderLine[]
  /** How many items can be uncovered. */
  itemCount: number
  files: { id: string; friendlyName: string }[]
  deliveryMessage: Html | null
  tickets: ShownTicket[]
  /** Null when the store gives nothing, or before the goods are here. */
  affiliate: ShownAffiliate | null
  step: PaymentStep | null
  /** Null where the store takes no store credit, or the order is paid. */
  credit: { isCodeSent: boolean } | null
  /** Of an order that is paid by hand: what the buyer has said and attached. */
  byHand: { proofs: string[]; rejection: string | null } | null
  qrCode: Html | null
}

export interface ShownAffiliate {
  percentage: number
  /** Null until the buyer asks for it. */
  url: string | null
  balances: { currency: string; earned: number; paidOut: number }[]
}

export interface OrderLine {
  productId: string
  name: string
  cost: number
  quantity: number
  imageName: string | null
  /** Null until the buyer uncovers them. */
  items: string[] | null
  isDelivered: boolean
  review: { rating: number; reason: string; reply: string | null } | null
}

/** Where a form of this page goes. The key stays on the store's own host. */
export function actionOf({ id, key }: Pick<ShownOrder, 'id' | 'key'>, act: string): string {
  return `/checkout/${id}/${act}?key=${encodeURIComponent(key)}`
}
