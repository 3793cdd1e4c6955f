// The interface names no payment methods; these are ours.
export const paymentMethods = {
  test: 'Test payment',
  card: 'Card',
  bitcoin: 'Bitcoin',
  litecoin: 'Litecoin',
  ethereum: 'Ethereum',
  usdc: 'USDC',
  transfer: 'Account transfer',
  wallet: 'Wallet',
  balance: 'Store credit',
  free: 'Free',
} as const

export type PaymentMethod = keyof typeof paymentMethods

export const paymentMethodIds = Object.keys(paymentMethods).filter(isPaymentMethod)

export function isPaymentMethod(id: string): id is PaymentMethod {
  return Object.hasOwn(paymentMethods, id)
}
