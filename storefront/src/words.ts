import { isPaymentMethod, type PaymentMethod } from '@keystall/contract/payment-methods'
import type { OrderStatus } from '@keystall/contract/shapes/order'
import type { MessageKey } from './messages/message.ts'
import type { Tile } from './shop.ts'
import type { Speech } from './speech.ts'

const fewMax = 20

export type Mood = 'good' | 'warm' | 'bad' | 'quiet'

type Stock = Pick<Tile, 'stock' | 'ignoreOutOfStock'>

/** Whether it can be had now, in words and a colour. */
export function stockWords({ say }: Speech, { stock, ignoreOutOfStock }: Stock): [string, Mood] {
  if (stock === -1) return [say('alwaysAvailable'), 'good']
  if (stock > fewMax) return [say('inStock'), 'good']
  if (stock > 0) return [say('left', { count: stock }), 'warm']
  return ignoreOutOfStock ? [say('deliveredWhenBack'), 'warm'] : [say('soldOut'), 'bad']
}

export function canBeBought({ stock, ignoreOutOfStock }: Stock): boolean {
  return stock !== 0 || ignoreOutOfStock
}

const moods: Record<OrderStatus, Mood> = {
  Incomplete: 'warm',
  Pending: 'warm',
  PartiallyPaid: 'warm',
  Verifying: 'warm',
  Delivering: 'warm',
  Delivered: 'good',
  Undeliverable: 'bad',
  Cancelled: 'quiet',
  Refunded: 'quiet',
  Disputed: 'bad',
}

/** What the buyer reads of an order's status: a word or two, a sentence, a colour. */
export function statusWords(
  { say }: Speech,
  { status, isByHand }: { status: OrderStatus; isByHand: boolean },
): [title: string, sentence: string, mood: Mood] {
  // Nobody has seen the money yet: the buyer says that it was sent.
  if (status === 'Pending' && isByHand) return [say('sellerLooks'), say('sellerLooksHelp'), moods.Pending]
  return [say(status), say(`${status}Text`), moods[status]]
}

const methodKeys = {
  test: 'methodTest',
  card: 'methodCard',
  bitcoin: 'methodBitcoin',
  litecoin: 'methodLitecoin',
  ethereum: 'methodEthereum',
  usdc: 'methodUsdc',
  transfer: 'methodTransfer',
  wallet: 'methodWallet',
  balance: 'methodBalance',
  free: 'methodFree',
} as const satisfies Record<PaymentMethod, MessageKey>

export function methodName({ say }: Speech, id: string): string {
  return isPaymentMethod(id) ? say(methodKeys[id]) : id
}
