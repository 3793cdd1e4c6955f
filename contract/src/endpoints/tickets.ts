import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, PageQuery, page } from '../envelope.ts'
import { withOrderKey } from '../order-key.ts'
import { Ticket } from '../shapes/ticket.ts'
import { Text } from '../values.ts'

const message = Text({ minLength: 1, maxLength: 2048 }, 'The message, 1 to 2,048 characters, not only white space.')

export const TicketReplyForm = Type.Object(
  { message },
  {
    title: 'TicketReplyForm',
    description: 'A message to be added to a ticket.',
  },
)
export type TicketReplyForm = Type.Static<typeof TicketReplyForm>

export const TicketForm = Type.Object(
  {
    subject: Text({ minLength: 1, maxLength: 128 }, 'What it is about, 1 to 128 characters.'),
    message,
  },
  { title: 'TicketForm', description: 'A new ticket.' },
)
export type TicketForm = Type.Static<typeof TicketForm>

export const listTickets = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/tickets/{page}',
  access: 'ViewTickets',
  summary: "List a store's tickets by page",
  query: PageQuery,
  reply: page(Ticket),
})

export const getTicket = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/tickets/{ticketId}',
  access: 'ViewTickets',
  summary: 'Get a ticket',
  reply: envelope(Ticket),
})

export const replyToTicket = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/tickets/{ticketId}',
  access: 'UpdateTickets',
  summary: 'Reply to a ticket',
  description: 'Adds the message; the status stays as it is.',
  body: TicketReplyForm,
  reply: envelope(Ticket),
})

export const closeTicket = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/tickets/{ticketId}',
  access: 'DeleteTickets',
  summary: 'Close a ticket',
  description: 'Nothing happens when it is already closed.',
  reply: envelope(Nothing),
})

export const openTicket = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/tickets',
  summary: 'Open a ticket as the buyer of an order',
  body: TicketForm,
  isIdempotent: true,
  reply: envelope(Ticket),
})

export const replyToOwnTicket = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/tickets/{ticketId}',
  summary: 'Reply to a ticket as its buyer',
  description: 'A closed ticket takes no more replies: 409.',
  body: TicketReplyForm,
  isIdempotent: true,
  reply: envelope(Ticket),
})
