import { Type } from 'typebox'
import { refundToCredit } from '#credit/credit'
import { transact } from '#platform/db/transaction'
import type { PaymentMethod } from '../method.ts'
import { selectCustomerOf } from '../queries.ts'
import { noStep } from '../step.ts'

/** What the store owes the customer: granted, or paid back. Spent with a code that only the customer is mailed. */
export const balanceMethod: PaymentMethod = {
  id: 'balance',
  words: 'Customers spend the credit that you granted them, or that refunds went to.',
  expiresAfterMinutes: 60,
  settings: Type.Object({}),
  begin: async () => ({
    ...noStep,
    instructions: 'Ask for a code by mail and type it on this page: it proves that the credit is yours.',
  }),
  async refund({ db }, { id: storeId }, { id, amountMinor, payment }) {
    const { orderId, currency } = payment
    const customerId = await selectCustomerOf(db, { storeId, orderId })
    if (customerId === undefined) return { refused: 'the customer is gone' }
    const refund = { refundId: id, amountMinor, orderId, reason: null, actor: null }
    const entry = await transact(db, (tx) => refundToCredit(tx, { storeId, customerId, currency }, refund))
    return { externalId: entry.id }
  },
}
