import { Type } from 'typebox'
import { list, OneOf, shape, Text, Timestamp, Uuid } from '../values.ts'
import { Customer } from './customer.ts'
import { PublicStore } from './store.ts'

// The interface names no statuses; these are ours.
export const ticketStatuses = {
  opened: 0,
  resolved: 1,
  closed: 2,
  responded: 3,
  customerResponded: 4,
} as const

const TicketEntry = shape('TicketEntry', 'A message of a ticket.', {
  id: Uuid('Identifies the message.'),
  dateCreated: Timestamp('When the message was written.'),
  message: Type.String({ description: 'The message, as plain text.' }),
  name: Type.String({ description: "Who wrote it: the store's name, or the customer's e-mail address." }),
})

export const Ticket = shape('Ticket', "A customer's question to a store.", {
  id: Uuid('Identifies the ticket.'),
  dateCreated: Timestamp('When the ticket was opened.'),
  subject: Type.String({ description: 'What the ticket is about.' }),
  status: OneOf([0, 1, 2, 3, 4], '0 opened, 1 resolved, 2 closed, 3 responded, 4 customer responded.'),
  targetStore: PublicStore,
  owner: Customer,
  entries: list(TicketEntry, 'The messages, oldest first.'),
})
export type Ticket = Type.Static<typeof Ticket>

export const CannedReply = shape('CannedReply', 'A reply that is kept ready.', {
  title: Text({ minLength: 1, maxLength: 64 }, 'What it is found by, 1 to 64 characters.'),
  message: Text({ minLength: 1, maxLength: 2048 }, 'The message, 1 to 2,048 characters.'),
})
export type CannedReply = Type.Static<typeof CannedReply>
