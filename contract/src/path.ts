import { Type } from 'typebox'
import { Uuid } from './values.ts'

/** Every `{token}` that a path may hold, and what it matches. An id that does not match is "not found", not "invalid". */
export const pathTokens = {
  storeId: Uuid('The store.'),
  productId: Uuid('The product.'),
  groupId: Uuid('The product group.'),
  orderId: Uuid('The order.'),
  couponId: Uuid('The coupon.'),
  ticketId: Uuid('The ticket.'),
  attachmentId: Uuid('The file of a ticket.'),
  reviewId: Uuid('The review.'),
  flagId: Uuid('The flag of a review.'),
  faqId: Uuid('The FAQ entry.'),
  fileId: Uuid('The file.'),
  customerId: Uuid('The customer.'),
  blockId: Uuid('The block.'),
  appId: Uuid('The application.'),
  keyId: Uuid('The API key.'),
  sessionId: Uuid('The session.'),
  memberId: Uuid('The user who is a member.'),
  invitationId: Uuid('The invitation.'),
  userId: Uuid('The user.'),
  reportId: Uuid('The report.'),
  subscriptionId: Uuid('The subscription.'),
  proofId: Uuid('The proof of payment.'),
  method: Type.String({ maxLength: 64, description: 'The payment method ID.' }),
  page: Type.Integer({ minimum: 1, description: 'The page, counted from 1.' }),
  fileName: Type.String({ description: 'The name under which the image is stored.' }),
  storeUrl: Type.String({ description: "The store's label, in any case, or its custom domain." }),
  code: Type.String({ description: 'The access code that the redirect carried.' }),
  webhookId: Uuid('The webhook.'),
  uploadId: Uuid('The upload of a file.'),
  attemptId: Uuid('The attempt to send an event to a webhook.'),
  query: Type.String({ minLength: 1, maxLength: 254, description: 'What to search for.' }),
  timeStr: Type.String({
    pattern: '^(?:[1-9][0-9]?|[12][0-9][0-9]|3[0-5][0-9]|36[0-5])d$',
    description: 'A number of days from 1d to 365d.',
  }),
} as const

export type PathToken = keyof typeof pathTokens
