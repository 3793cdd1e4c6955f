import { endpoint } from '../endpoint.ts'
import { PageQuery, page } from '../envelope.ts'
import { CustomerSummary } from '../shapes/customer.ts'

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
