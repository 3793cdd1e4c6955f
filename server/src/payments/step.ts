import type { PaymentStep } from '@keystall/contract/shapes/order'

/** A step in which nothing applies yet; each method fills in its part. */
export const noStep: PaymentStep = {
  redirectUrl: null,
  address: null,
  amount: null,
  uri: null,
  expiresAt: null,
  instructions: null,
  payee: null,
  code: null,
  isAsFriends: null,
  words: null,
}
