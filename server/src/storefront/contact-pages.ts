import { ContactForm } from '@keystall/contract/endpoints/tickets'
import type { Html } from '@keystall/storefront/html'
import { confirmQuestionPage, contactPage, questionSentPage } from '@keystall/storefront/pages/contact'
import { type Draft, emptyDraft } from '@keystall/storefront/shop'
import type { FastifyReply } from 'fastify'
import { isUuid } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { validate } from '#platform/http/validation'
import { networkOf } from '#platform/network'
import { notFound, Problem } from '#problem'
import { askStore, confirmRequest, findRequest } from '#tickets/contact'
import { formOf, refuseForeignOrigin, textOf } from './form.ts'
import { sendPage } from './sending.ts'
import { linksOf, markdownOf, shopOf } from './shop.ts'
import { leadTo } from './ticket-pages.ts'
import { parameter, type StoreVisit } from './visit.ts'

export function showContact(visit: StoreVisit): Promise<Html> {
  return contact(visit, { draft: emptyDraft })
}

export async function sendQuestion(visit: StoreVisit): Promise<FastifyReply> {
  const { platform, store, request, reply, speech } = visit
  refuseForeignOrigin(request, platform.config)
  const sent = formOf(request)
  const question = {
    emailAddress: textOf(sent, 'emailAddress').trim(),
    subject: textOf(sent, 'subject').trim(),
    message: textOf(sent, 'message'),
  }
  const sending = { request, reply, config: platform.config }
  try {
    validate(ContactForm, question)
    const network = networkOf(request.ip)
    await transact(platform.db, (tx) =>
      askStore(tx, platform, store, { ...question, network, language: speech.language }),
    )
  } catch (error) {
    const isTold = error instanceof Problem && ['ValidationError', 'RateLimited'].includes(error.code)
    if (!isTold) throw error
    const isFields = error.code === 'ValidationError'
    const draft = { values: question, reasons: isFields ? error.fields : {} }
    const refusal = isFields ? undefined : speech.say('askedOften')
    return sendPage(sending, await contact(visit, { draft, refusal }), { status: isFields ? 400 : 429 })
  }
  return sendPage(sending, questionSentPage(await shopOf(visit), question.emailAddress))
}

export async function showQuestion(visit: StoreVisit): Promise<FastifyReply> {
  const { platform, request, reply } = visit
  const { request: question, key } = await admitQuestion(visit)
  if (question.ticketId !== null) return confirmQuestion(visit)
  const { id, emailAddress, subject, message } = question
  const page = confirmQuestionPage(await shopOf(visit), { id, key, emailAddress, subject, message })
  return sendPage({ request, reply, config: platform.config }, page, { isSecret: true })
}

export async function confirmQuestion(visit: StoreVisit): Promise<FastifyReply> {
  const { platform, store, reply } = visit
  const { request: question } = await admitQuestion(visit)
  return leadTo(reply, await transact(platform.db, (tx) => confirmRequest(tx, platform, store, question)))
}

async function admitQuestion({ platform, store, request }: StoreVisit) {
  const id = parameter(request, 'requestId')
  const key: unknown = Object(request.query)['key']
  const found = isUuid(id) && typeof key === 'string' ? await findRequest(platform.db, store, { id, key }) : undefined
  if (!found || typeof key !== 'string') throw notFound('question: the link works for two days, then you can ask again')
  return { request: found, key }
}

async function contact(
  visit: StoreVisit,
  { draft, refusal }: { draft: Draft; refusal?: string | undefined },
): Promise<Html> {
  const { platform, store } = visit
  const message = markdownOf(platform.config, store.sellerMessage)
  return contactPage(await shopOf(visit), { message, links: linksOf(store), draft, refusal })
}
