import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, PageQuery, page } from '../envelope.ts'
import { withOrderKey } from '../order-key.ts'
import { CannedReply, Ticket, TicketAttachment, TicketParticulars } from '../shapes/ticket.ts'
import { EmailAddress, list, nullable, OneOf, optional, Text, Uuid } from '../values.ts'

const message = Text({ minLength: 1, maxLength: 2048 }, 'The message, 1 to 2,048 characters, not only white space.')

/** Files of one message. */
export const attachmentsMax = 5

const subject = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[^\\S\\r\\n]*\\S[^\\r\\n]*$',
  reason: 'must be one line that holds more than white space',
  description: 'What it is about, 1 to 128 characters on one line.',
})

const attachmentIds = optional(
  Type.Array(Uuid('An attachment that was uploaded and is not in a message yet.'), {
    maxItems: attachmentsMax,
    uniqueItems: true,
    description: 'Uploaded files to go with the message, at most 5.',
  }),
  [],
)

export const TicketReplyForm = Type.Object(
  { message, attachmentIds },
  {
    title: 'TicketReplyForm',
    description: 'A message to be added to a ticket.',
  },
)
export type TicketReplyForm = Type.Static<typeof TicketReplyForm>

export const TicketForm = Type.Object(
  {
    subject,
    message,
    attachmentIds,
    previousTicketId: optional(nullable(Uuid('A closed ticket of the same order that this one goes on from.')), null),
  },
  { title: 'TicketForm', description: 'A new ticket.' },
)
export type TicketForm = Type.Static<typeof TicketForm>

/** A question from the store's contact page. */
export const ContactForm = Type.Object({
  emailAddress: EmailAddress('Where the link to confirm it is sent, and later the answer.'),
  subject,
  message,
})

const status = nullable(OneOf([0, 1, 2, 3, 4], 'Only tickets of this status.'))

export const TicketQuery = Type.Object({ ...PageQuery.properties, status: optional(status, null) })

const attachment = {
  part: 'file',
  accepts: 'An image (PNG, JPG, WebP, GIF), a text in UTF-8 or a PDF of at most 10,000,000 bytes.',
} as const
const uploaded =
  'Told by its bytes; images are written anew. It belongs to nobody but the uploader until a message names it, and is dropped after a day. At most 20 may wait so: then 409.'

export const listTickets = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/tickets/{page}',
  access: 'ViewTickets',
  summary: "List a store's tickets by page",
  description: 'Newest first.',
  query: TicketQuery,
  reply: page(Ticket),
})

export const searchTickets = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/tickets/{page}/search/{query}',
  access: 'ViewTickets',
  beside: true,
  summary: "Search a store's tickets",
  description: "Finds words of the subject and the messages, and the customer's e-mail address. Newest first.",
  query: TicketQuery,
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
  description: 'Adds the message; the status stays as it is. A closed ticket takes no more replies: 409.',
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

export const getTicketParticulars = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/tickets/{ticketId}/particulars',
  access: 'ViewTickets',
  beside: true,
  summary: 'Get what a ticket has beside its conversation',
  description: 'Its order, the ticket that it goes on from, and the files of its messages.',
  reply: envelope(TicketParticulars),
})

export const attachToTicket = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/tickets/{ticketId}/attachments',
  access: 'UpdateTickets',
  beside: true,
  summary: 'Upload a file for a reply',
  description: uploaded,
  upload: attachment,
  reply: envelope(TicketAttachment),
})

export const downloadAttachment = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/tickets/{ticketId}/attachments/{attachmentId}',
  access: 'ViewTickets',
  beside: true,
  summary: 'Download a file of a ticket',
  reply: 'bytes',
})

export const openTicket = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/tickets',
  summary: 'Open a ticket as the buyer of an order',
  description: 'A customer may open 5 an hour; then 429.',
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

export const CannedRepliesForm = Type.Object(
  {
    replies: Type.Array(CannedReply, { maxItems: 100, description: 'The replies, in order, at most 100.' }),
  },
  { title: 'CannedRepliesForm', description: 'The replies that a store keeps ready.' },
)
export type CannedRepliesForm = Type.Static<typeof CannedRepliesForm>

const keptReplies = envelope(list(CannedReply, 'The replies, in order.'))

export const listCannedReplies = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/tickets/canned-replies',
  access: 'ViewTickets',
  beside: true,
  summary: 'List the replies that a store keeps ready',
  reply: keptReplies,
})

export const updateCannedReplies = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/tickets/canned-replies',
  access: 'UpdateTickets',
  beside: true,
  summary: 'Change the replies that a store keeps ready',
  description: 'The list replaces the former one.',
  body: CannedRepliesForm,
  reply: keptReplies,
})

export const attachToOwnTicket = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/tickets/attachments',
  summary: 'Upload a file for a ticket or a reply as the buyer',
  description: uploaded,
  upload: attachment,
  reply: envelope(TicketAttachment),
})

export const listOwnAttachments = endpoint({
  ...withOrderKey,
  method: 'GET',
  path: '/orders/{orderId}/tickets/{ticketId}/attachments',
  summary: 'List the files of a ticket as its buyer',
  reply: envelope(list(TicketAttachment, 'The files of its messages, oldest first.')),
})

export const downloadOwnAttachment = endpoint({
  ...withOrderKey,
  method: 'GET',
  path: '/orders/{orderId}/tickets/{ticketId}/attachments/{attachmentId}',
  summary: 'Download a file of a ticket as its buyer',
  reply: 'bytes',
})
