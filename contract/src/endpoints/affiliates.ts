import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, PageQuery, page } from '../envelope.ts'
import { withOrderKey } from '../order-key.ts'
import { Affiliate, AffiliateEntry, OwnAffiliate } from '../shapes/affiliate.ts'
import { nullable, optional, Text } from '../values.ts'

export const listAffiliates = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/affiliates/{page}',
  access: 'ViewOrders',
  beside: true,
  summary: "List a store's affiliates by page",
  description: 'Customers who asked for a link, newest customer first.',
  query: PageQuery,
  reply: page(Affiliate),
})

export const listAffiliateEntries = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/affiliates/{customerId}/entries/{page}',
  access: 'ViewOrders',
  beside: true,
  summary: 'List what an affiliate earned and was paid, by page',
  description: 'Newest first.',
  query: PageQuery,
  reply: page(AffiliateEntry),
})

export const PayOutForm = Type.Object(
  {
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'The ISO 4217 code of the currency.' }),
    amount: optional(
      nullable(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 1_000_000_000,
          description: 'How much was paid out; null for all that is owed.',
        }),
      ),
      null,
    ),
    note: optional(nullable(Text({ maxLength: 500 }, 'How it was paid, for the books.')), null),
  },
  { title: 'PayOutForm', description: 'What a seller has paid to an affiliate.' },
)
export type PayOutForm = Type.Static<typeof PayOutForm>

export const payOutAffiliate = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/affiliates/{customerId}/payouts',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Mark earnings as paid out',
  description: 'The money itself is paid elsewhere. When nothing is owed it is 409; more than is owed is 400.',
  body: PayOutForm,
  isIdempotent: true,
  reply: envelope(Affiliate),
})

export const getOwnAffiliate = endpoint({
  ...withOrderKey,
  method: 'GET',
  path: '/orders/{orderId}/affiliate',
  summary: "See what one's own link earns, as the buyer of an order",
  reply: envelope(OwnAffiliate),
})

export const becomeAffiliate = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/affiliate',
  summary: 'Get a link that earns, as the buyer of an order',
  description: 'The same link however often it is asked for. When the store gives nothing it is 409.',
  reply: envelope(OwnAffiliate),
})
