import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, PageQuery, page } from '../envelope.ts'
import { blockKinds, CustomerBlock, CustomerProfile, CustomerSummary } from '../shapes/customer.ts'
import { EmailAddress, list, nullable, OneOf, optional, Text } from '../values.ts'

export const listCustomers = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/customers/{page}',
  access: 'ViewOrders',
  beside: true,
  summary: "List a store's customers by page",
  query: PageQuery,
  reply: page(CustomerSummary),
})

export const searchCustomers = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/customers/{page}/search/{query}',
  access: 'ViewOrders',
  beside: true,
  summary: "Search a store's customers",
  description: 'Finds customers whose e-mail address begins with the text, in any case.',
  query: PageQuery,
  reply: page(CustomerSummary),
})

export const getCustomer = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/customers/{customerId}',
  access: 'ViewOrders',
  beside: true,
  summary: 'Get a customer',
  reply: envelope(CustomerProfile),
})

export const CustomerNotesForm = Type.Object(
  {
    notes: optional(
      nullable(Text({ maxLength: 10_000 }, "The seller's own notes; the customer never sees them.")),
      null,
    ),
  },
  { title: 'CustomerNotesForm', description: 'What a seller notes about a customer.' },
)
export type CustomerNotesForm = Type.Static<typeof CustomerNotesForm>

export const updateCustomerNotes = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/customers/{customerId}/notes',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Note something about a customer',
  body: CustomerNotesForm,
  reply: envelope(CustomerProfile),
})

export const ErasureForm = Type.Object(
  { emailAddress: EmailAddress("The customer's address, to be sure that it is the right one.") },
  { title: 'ErasureForm', description: 'Whom to forget.' },
)
export type ErasureForm = Type.Static<typeof ErasureForm>

export const eraseCustomer = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/customers/{customerId}',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Erase a customer',
  description:
    'For good. Orders keep their amounts and lose the person: e-mail and IP address, browser, answers to the ' +
    "products' questions, metadata, and what they wrote in tickets. While an order is under way: 409.",
  body: ErasureForm,
  reply: envelope(Nothing),
})

export const CustomerBlockForm = Type.Object(
  {
    kind: OneOf(
      blockKinds,
      'What is blocked: an e-mail address or its domain, an IP address or network, or a country.',
    ),
    value: Text(
      { minLength: 2, maxLength: 254 },
      'The address (`a@example.com`, `@example.com`, `203.0.113.7`, `203.0.113.0/24`) or the country code (`XX`).',
    ),
    reason: optional(nullable(Text({ maxLength: 2048 }, "Why, for the store's own members.")), null),
  },
  { title: 'CustomerBlockForm', description: 'Whom a store will not sell to.' },
)
export type CustomerBlockForm = Type.Static<typeof CustomerBlockForm>

export const listCustomerBlocks = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/blocked-customers',
  access: 'ViewOrders',
  beside: true,
  summary: 'List whom a store does not sell to',
  reply: envelope(list(CustomerBlock, 'The blocks, newest first.')),
})

export const createCustomerBlock = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/blocked-customers',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Block an e-mail address, an IP address or a country',
  description: 'Orders from there are refused with 400. What is blocked already is refused with 409.',
  body: CustomerBlockForm,
  isIdempotent: true,
  reply: envelope(CustomerBlock),
})

export const deleteCustomerBlock = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/blocked-customers/{blockId}',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Lift a block',
  reply: envelope(Nothing),
})
