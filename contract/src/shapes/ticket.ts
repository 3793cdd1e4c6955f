import { Type } from 'typebox'
import { Count, list, nullable, OneOf, shape, Text, Timestamp, Uuid } from '../values.ts'
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

export const TicketAttachment = shape('TicketAttachment', 'A file of a message of a ticket.', {
  id: Uuid('Identifies the file.'),
  dateCreated: Timestamp('When it was uploaded.'),
  entryId: nullable(Uuid('The message that it goes with; null while none does.')),
  friendlyName: Type.String({ description: 'The name of the file.' }),
  mediaType: Type.String({ description: 'What it is, by its bytes: `image/png`, `text/plain`, `application/pdf` …' }),
  bytes: Count('Its size.'),
})
export type TicketAttachment = Type.Static<typeof TicketAttachment>

export const TicketParticulars = shape('TicketParticulars', 'What a ticket has beside its conversation.', {
  orderId: nullable(Uuid("The order that it is about; null when it came from the store's contact page.")),
  previousTicketId: nullable(Uuid('The closed ticket that it goes on from; null when there is none.')),
  closedAt: nullable(Timestamp('When it was closed; null while it is open.')),
  attachments: list(TicketAttachment, 'The files of its messages, oldest first.'),
})
export type TicketParticulars = Type.Static<typeof TicketParticulars>
