import { Type } from 'typebox'
import { Count, list, nullable, OneOf, shape, Timestamp, Uuid } from '../values.ts'

const AffiliateBalance = shape('AffiliateBalance', 'What an affiliate earned in one currency.', {
  currency: Type.String({ description: 'The ISO 4217 code of the currency.' }),
  earned: Type.Number({ description: 'What was earned, less what refunds took back.' }),
  paidOut: Type.Number({ description: 'What the seller has paid out.' }),
  owed: Type.Number({ description: 'What is left to pay out; negative when a refund came after it.' }),
})

const balances = list(AffiliateBalance, 'By currency; empty before the first earning.')

export const Affiliate = shape('Affiliate', 'A customer who sends others to the store.', {
  customerId: Uuid('The customer.'),
  emailAddress: Type.String({ description: "The customer's e-mail address." }),
  code: Type.String({ description: 'What the link carries as `ref`, and an order as `affiliateCode`.' }),
  url: Type.String({ description: "The customer's link to the store." }),
  orders: Count('How many paid orders came by the link.'),
  balances,
})
export type Affiliate = Type.Static<typeof Affiliate>

export const AffiliateEntry = shape('AffiliateEntry', 'A line of the book of an affiliate.', {
  id: Uuid('Identifies the line.'),
  dateCreated: Timestamp('When it was written.'),
  kind: OneOf(['earned', 'reversed', 'paid-out'], 'Earned by a paid order, taken back by a refund, or paid out.'),
  orderId: nullable(Uuid('The order that it is about; null for what was paid out.')),
  amount: Type.Number({ description: 'Positive when earned, negative when taken back or paid out.' }),
  currency: Type.String({ description: 'The ISO 4217 code of the currency.' }),
  note: nullable(Type.String({ description: "The seller's note; null when there is none." })),
})
export type AffiliateEntry = Type.Static<typeof AffiliateEntry>

export const OwnAffiliate = shape('OwnAffiliate', "A customer's own view of what their link earns.", {
  percentage: Type.Number({
    description: 'What the customer gets of what others pay; 0 when the store gives nothing.',
  }),
  code: nullable(Type.String({ description: 'The code; null until the customer asks for a link.' })),
  url: nullable(Type.String({ description: 'The link; null until the customer asks for one.' })),
  balances,
})
export type OwnAffiliate = Type.Static<typeof OwnAffiliate>
