import { SpendCreditForm } from '@keystall/contract/endpoints/credit'
import { ClaimForm } from '@keystall/contract/endpoints/payments'
import { ReviewForm } from '@keystall/contract/endpoints/reviews'
import { TicketForm, TicketReplyForm } from '@keystall/contract/endpoints/tickets'
import { calm, type OrderPageState, orderPage } from '@keystall/storefront/pages/order'
import type { FastifyReply } from 'fastify'
import { beginPayment, settlePayment } from '#orders/begin-payment'
import { claimPayment } from '#orders/claim'
import { mailCreditCode, spendCredit } from '#orders/credit-payment'
import { becomeAffiliateOf } from '#affiliates/affiliate'
import { openDownload } from '#orders/download'
import { cancelOrder } from '#orders/expiry'
import { admitOrder } from '#orders/order-key'
import { drawReceipt } from '#orders/receipt'
import { revealOrder } from '#orders/reveal'
import type { OrderRow } from '#orders/tables'
import { payAsTest } from '#orders/test-payment'
import { inTurn } from '#orders/turns'
import { discardProof, keepProof, proofBytesMax, storeProof } from '#payments/proof'
import type { Tx } from '#platform/db/database'
import { isUuid } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { sendFile, sendPdf } from '#platform/http/downloads'
import { readUpload } from '#platform/http/uploads'
import { validate } from '#platform/http/validation'
import { visitOf } from '#platform/http/visit'
import { invalid, notFound, Problem } from '#problem'
import { reviewProduct } from '#reviews/review'
import { loadAttachment } from '#tickets/attachment'
import { findTicketOfOrder, openTicket, replyToOwnTicket } from '#tickets/ticket'
import { formOf, textOf } from './form.ts'
import { openOrder } from './order-view.ts'
import { sendPage } from './sending.ts'
import { discardFiles, readSent, refuseFiles, type Sent } from './sent.ts'
import { shopOf } from './shop.ts'
import { parameter, type StoreVisit } from './visit.ts'

const outcomes = ['paid', 'declined', 'partial'] as const

export interface OrderVisit extends StoreVisit {
  order: OrderRow
}

/** Without the right key there is no order, and an order of another store is none here. */
export async function admitBuyer(visit: StoreVisit): Promise<OrderVisit> {
  const { platform, store, request } = visit
  const id = parameter(request, 'orderId')
  const key: unknown = Object(request.query)['key']
  const found = isUuid(id) && typeof key === 'string' ? await admitOrder(platform.db, id, key) : undefined
  if (!found || found.store.id !== store.id) throw notFound('order')
  return { ...visit, order: found.order }
}

export async function showOrder(visit: OrderVisit): Promise<FastifyReply> {
  const { platform, store, order, request } = visit
  const hasReturned = Object(request.query)['returned'] !== undefined
  if (!hasReturned) return sendOrder(visit, calm)
  await settlePayment(platform, store, order)
  return toOrder(visit)
}

/** To the page of the gateway. A link, because a form must not lead to another site. */
export async function goToPayment(visit: OrderVisit): Promise<FastifyReply> {
  const { platform, store, order, reply } = visit
  const { redirectUrl } = await beginPayment(platform, store, order)
  if (redirectUrl === null) return toOrder(visit)
  reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
  return reply.redirect(redirectUrl, 303)
}

/** Somebody reloads the answer of a form: they are led back to the order. */
export async function leadBack(visit: OrderVisit): Promise<FastifyReply> {
  return toOrder(visit)
}

export async function payWithPlayMoney(visit: OrderVisit): Promise<FastifyReply> {
  const sent = formOf(visit.request).get('outcome')
  const refused = sent === 'declined' ? visit.speech.say('wasDeclined') : undefined
  return attempt(visit, { name: null, values: {}, said: refused }, async (tx) => {
    const outcome = outcomes.find((each) => each === sent)
    if (!outcome) throw invalid({ outcome: `must be one of ${outcomes.join(', ')}` })
    await payAsTest({ tx, platform: visit.platform, store: visit.store, actor: null }, visit.order, { outcome })
  })
}

export async function cancel(visit: OrderVisit): Promise<FastifyReply> {
  return attempt(visit, { name: null, values: {} }, async (tx) => {
    await cancelOrder({ tx, platform: visit.platform, store: visit.store, actor: 'buyer' }, visit.order)
  })
}

export async function sayPaid(visit: OrderVisit): Promise<FastifyReply> {
  const values = { note: textOf(formOf(visit.request), 'note') }
  return attempt(visit, { name: 'claim', values }, async (tx) => {
    const form = { note: values.note.trim() === '' ? null : values.note }
    validate(ClaimForm, form)
    await claimPayment({ tx, platform: visit.platform, store: visit.store, actor: 'buyer' }, visit.order, form.note)
  })
}

export async function askForCreditCode(visit: OrderVisit): Promise<FastifyReply> {
  const { platform, store, order } = visit
  return attemptAside(visit, 'code', () => mailCreditCode(platform, store, order))
}

export async function payByCredit(visit: OrderVisit): Promise<FastifyReply> {
  const { platform, store, order, request } = visit
  const values = { code: textOf(formOf(request), 'code').trim() }
  try {
    validate(SpendCreditForm, values)
    await inTurn(() => spendCredit(platform, store, { order, code: values.code }))
  } catch (error) {
    return showRefused(visit, { name: 'credit', values }, error)
  }
  return toOrder(visit)
}

export async function sendProof(visit: OrderVisit): Promise<FastifyReply> {
  const { platform, order, request, reply } = visit
  return attemptAside(visit, null, async () => {
    const proof = await readUpload(request, reply, {
      part: 'file',
      bytesMax: proofBytesMax,
      take: (part) => storeProof(platform, order, part),
      drop: (stored) => discardProof(platform, stored),
    })
    await transact(platform.db, (tx) => keepProof(tx, proof))
  })
}

/** What opens transactions of its own. */
async function attemptAside(visit: OrderVisit, said: string | null, work: () => Promise<void>): Promise<FastifyReply> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'InternalServerError') throw error
    return sendOrder(visit, { ...calm, message: error.message }, { status: 400 })
  }
  return toOrder(visit, said === null ? '' : `&${said}=sent#pay`)
}

/** Items are in the answer to this alone, so that each look at them is noted. */
export async function reveal(visit: OrderVisit): Promise<FastifyReply> {
  const { platform, store, order, request } = visit
  await transact(platform.db, (tx) =>
    revealOrder({ tx, platform, store, actor: 'buyer' }, order, { productId: null, visit: visitOf(request) }),
  )
  return sendOrder(visit, calm, { isRevealed: true })
}

export async function sendOrderFile({ platform, order, request, reply }: OrderVisit): Promise<FastifyReply> {
  const fileId = parameter(request, 'fileId')
  if (!isUuid(fileId)) throw notFound('file')
  const file = await openDownload(platform.db, order, fileId)
  return sendFile(reply, platform, file, request)
}

/** In the language of the page that led here. */
export async function sendReceipt({ platform, store, order, reply, speech }: OrderVisit): Promise<FastifyReply> {
  const receipt = await drawReceipt(platform.db, platform, store, order, speech)
  return sendPdf(reply, receipt, `${speech.say('receipt')}-${order.id.slice(-12)}.pdf`)
}

export async function askForHelp(visit: OrderVisit): Promise<FastifyReply> {
  const { platform, store, order } = visit
  const sent = await readSent(visit)
  const previous = textOf(sent.form, 'previousTicketId')
  const values = { subject: textOf(sent.form, 'subject'), message: textOf(sent.form, 'message') }
  return attempt(visit, { name: 'ticket', values: { ...values, previousTicketId: previous }, sent }, async (tx) => {
    const form = { ...values, previousTicketId: previous === '' ? null : previous, attachmentIds: [] }
    validate(TicketForm, form)
    refuseFiles(sent)
    await openTicket(tx, platform, { store, order }, { ...form, files: sent.files })
  })
}

export async function replyToSeller(visit: OrderVisit): Promise<FastifyReply> {
  const { platform, store, order, request } = visit
  const ticketId = parameter(request, 'ticketId')
  const ticket = isUuid(ticketId) ? await findTicketOfOrder(platform.db, order, ticketId) : undefined
  if (!ticket) throw notFound('ticket')
  const sent = await readSent(visit)
  const values = { message: textOf(sent.form, `message ${ticketId}`) }
  return attempt(visit, { name: `reply ${ticketId}`, values, sent }, async (tx) => {
    const form = { ...values, attachmentIds: [] }
    validate(TicketReplyForm, form)
    refuseFiles(sent)
    await replyToOwnTicket(tx, platform, { store, ticket }, { ...form, files: sent.files })
  })
}

export async function sendAttachmentOfOrder(visit: OrderVisit): Promise<FastifyReply> {
  const { platform, order, request, reply } = visit
  const [ticketId, attachmentId] = [parameter(request, 'ticketId'), parameter(request, 'attachmentId')]
  const ticket = isUuid(ticketId) ? await findTicketOfOrder(platform.db, order, ticketId) : undefined
  if (!ticket || !isUuid(attachmentId)) throw notFound('attachment')
  return sendFile(reply, platform, await loadAttachment(platform.db, ticket, attachmentId), request)
}

export async function publishReview(visit: OrderVisit): Promise<FastifyReply> {
  const sent = formOf(visit.request)
  const productId = textOf(sent, 'productId')
  const values = { productId, rating: textOf(sent, 'rating'), reason: textOf(sent, 'reason') }
  return attempt(visit, { name: `review ${productId}`, values }, async (tx) => {
    if (!/^[1-5]$/.test(values.rating)) throw invalid({ rating: 'is needed' })
    const form = { ...values, rating: Number(values.rating) }
    validate(ReviewForm, form)
    await reviewProduct(tx, visit.order, form)
  })
}

/** The buyer asks for a link that earns. */
export async function recommend(visit: OrderVisit): Promise<FastifyReply> {
  const { store, order } = visit
  return attempt(visit, { name: null, values: {} }, async (tx) => {
    await becomeAffiliateOf(tx, store, order)
  })
}

interface Attempt {
  /** The form that a refusal belongs to; null for a lone button. */
  name: string | null
  values: Record<string, string>
  /** What to say although it went well. */
  said?: string | undefined
  /** The form with its files, which go when it is refused. */
  sent?: Sent
}

/** Does it and leads back to the order, or shows the order with what was refused and all that was typed. */
async function attempt(
  visit: OrderVisit,
  { name, values, said, sent }: Attempt,
  work: (tx: Tx) => Promise<void>,
): Promise<FastifyReply> {
  try {
    await inTurn(() => transact(visit.platform.db, work))
  } catch (error) {
    if (sent) await discardFiles(visit, sent)
    return showRefused(visit, { name, values }, error)
  }
  if (said === undefined) return toOrder(visit)
  return sendOrder(await admitBuyer(visit), { ...calm, message: said })
}

/** The order, with what was refused and all that was typed. */
async function showRefused(
  visit: OrderVisit,
  { name, values }: Pick<Attempt, 'name' | 'values'>,
  error: unknown,
): Promise<FastifyReply> {
  if (!(error instanceof Problem) || error.code === 'InternalServerError') throw error
  const isFields = error.code === 'ValidationError' && name !== null
  const state: OrderPageState = {
    form: name,
    draft: { values, reasons: isFields ? error.fields : {} },
    message: isFields ? undefined : error.message,
  }
  return sendOrder(await admitBuyer(visit), state, { status: isFields ? 400 : 409 })
}

function toOrder({ order, reply }: OrderVisit, more = ''): FastifyReply {
  reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
  return reply.redirect(`/checkout/${order.id}?key=${encodeURIComponent(order.key)}${more}`, 303)
}

async function sendOrder(
  visit: OrderVisit,
  state: OrderPageState,
  { status = 200, isRevealed = false } = {},
): Promise<FastifyReply> {
  const { platform, request, reply, order } = visit
  const [shop, shown] = await Promise.all([shopOf(visit), openOrder(visit, order, { isRevealed })])
  return sendPage({ request, reply, config: platform.config }, orderPage(shop, shown, state), {
    status,
    isSecret: true,
  })
}
