import type { OrderStatus } from '@keystall/contract/shapes/order'
import type { Tile } from './shop.ts'

const fewMax = 20

export function price(cost: number, currency: string): string {
  return cost === 0 ? 'Free' : amount(cost, currency)
}

export function amount(value: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(value)
}

export function count(value: number): string {
  return new Intl.NumberFormat('en').format(value)
}

export function counted(value: number, one: string, many: string): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

export function day(moment: string): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(moment))
}

export function exactly(moment: string): string {
  const words = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return `${words.format(new Date(moment))} UTC`
}

export type Mood = 'good' | 'warm' | 'bad' | 'quiet'

/** Whether it can be had now, in words and a colour. */
export function stockWords({ stock, ignoreOutOfStock }: Pick<Tile, 'stock' | 'ignoreOutOfStock'>): [string, Mood] {
  if (stock === -1) return ['Always available', 'good']
  if (stock > fewMax) return ['In stock', 'good']
  if (stock > 0) return [`${stock} left`, 'warm']
  return ignoreOutOfStock ? ['Delivered when it is back', 'warm'] : ['Sold out', 'bad']
}

export function canBeBought({ stock, ignoreOutOfStock }: Pick<Tile, 'stock' | 'ignoreOutOfStock'>): boolean {
  return stock !== 0 || ignoreOutOfStock
}

/** What the buyer reads of an order's status: a word or two, a sentence, a colour. */
export const statusWords: Record<OrderStatus, [title: string, sentence: string, mood: Mood]> = {
  Incomplete: ['Waiting for payment', 'Everything is set aside for you while you pay.', 'warm'],
  Pending: ['Payment seen', 'It is settling. This page changes by itself.', 'warm'],
  PartiallyPaid: ['Partly paid', 'Some of the price is still open.', 'warm'],
  Verifying: ['Payment received', 'It is being checked. This page changes by itself.', 'warm'],
  Delivering: ['On its way', 'Your order is paid. What you bought appears here as soon as it is ready.', 'warm'],
  Delivered: ['Delivered', 'Thank you. This page stays yours: come back to it whenever you like.', 'good'],
  Undeliverable: [
    'Paid, not delivered yet',
    'Something went wrong while handing it over. The seller knows; open a ticket to ask.',
    'bad',
  ],
  Cancelled: ['Cancelled', 'Nothing is owed. If you paid meanwhile, the payment is not lost.', 'quiet'],
  Refunded: ['Refunded', 'Your payment went back to where it came from.', 'quiet'],
  Disputed: ['Disputed', 'The payment is being disputed. Until it is settled, nothing can be downloaded.', 'bad'],
}
