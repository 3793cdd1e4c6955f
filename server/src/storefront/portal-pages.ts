import type { Html } from '@keystall/storefront/html'
import { enterPage, linkSentPage, portalPage, signInPage } from '@keystall/storefront/pages/portal'
import { isPastTheEnd } from '@keystall/storefront/parts/pager'
import { emptyDraft } from '@keystall/storefront/shop'
import type { FastifyReply } from 'fastify'
import { askForLinkLater, enterPortal, findSignedIn, leavePortal, sessionSeconds } from '#customers/portal'
import { methodNamed } from '#payments/methods'
import { isUuid } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { clearCookie, type CookieKind, readCookie, setCookie } from '#platform/http/cookies'
import { notFound, Problem } from '#problem'
import { cancelSubscriptionOfCustomer } from '#subscriptions/subscription'
import { selectPortal } from '#views/portal'
import { formOf, refuseForeignOrigin } from './form.ts'
import { sendPage } from './sending.ts'
import { shopOf } from './shop.ts'
import { parameter, queryPage, type StoreVisit } from './visit.ts'

const sessionCookie: CookieKind = { name: 'keystall_customer', maxAgeSeconds: sessionSeconds, sameSite: 'Lax' }
const tokenForm = /^[\w-]{43}$/

/** The orders of whoever is signed in, else the way in. */
export async function showPortal(visit: StoreVisit): Promise<FastifyReply> {
  const { platform, store, request } = visit
  const token = sessionTokenOf(visit)
  const customer = token && (await findSignedIn(platform.db, store, token))
  const shop = await shopOf(visit)
  if (!customer) return send(visit, signInPage(shop, { draft: emptyDraft, message: undefined }))
  const portal = await selectPortal(platform.db, customer, {
    page: queryPage(request),
    isByHand: (gateway) => methodNamed(gateway)?.isByHand === true,
  })
  return send(visit, portalPage(shop, portal), isPastTheEnd(portal) ? 404 : 200)
}

export async function askForLink(visit: StoreVisit): Promise<FastifyReply> {
  const { platform, store, request, speech } = visit
  refuseForeignOrigin(request, platform.config)
  platform.limits.takeAttempt(request.ip)
  const emailAddress = (formOf(request).get('emailAddress') ?? '').trim()
  const shop = await shopOf(visit)
  try {
    const asked = { storeId: store.id, emailAddress, language: speech.language }
    await transact(platform.db, (tx) => askForLinkLater(tx, asked))
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'ValidationError') throw error
    const draft = { values: { emailAddress }, reasons: error.fields }
    return send(visit, signInPage(shop, { draft, message: undefined }), 400)
  }
  return send(visit, linkSentPage(shop, emailAddress))
}

export async function showEntrance(visit: StoreVisit): Promise<FastifyReply> {
  const token: unknown = Object(visit.request.query)['token']
  const shop = await shopOf(visit)
  if (typeof token === 'string' && tokenForm.test(token)) return send(visit, enterPage(shop, token))
  return send(visit, signInPage(shop, { draft: emptyDraft, message: visit.speech.say('linkSpent') }), 404)
}

export async function enter(visit: StoreVisit): Promise<FastifyReply> {
  const { platform, store, request, reply, speech } = visit
  refuseForeignOrigin(request, platform.config)
  platform.limits.takeAttempt(request.ip)
  const linkToken = formOf(request).get('token') ?? ''
  const token = tokenForm.test(linkToken)
    ? await transact(platform.db, (tx) => enterPortal(tx, store, linkToken))
    : undefined
  if (token === undefined) {
    const page = signInPage(await shopOf(visit), { draft: emptyDraft, message: speech.say('linkSpent') })
    return send(visit, page, 404)
  }
  setCookie(reply, sessionCookie, token, isSecure(visit))
  return reply.redirect('/portal', 303)
}

export async function endRenewal(visit: StoreVisit): Promise<FastifyReply> {
  const { platform, store, request, reply } = visit
  refuseForeignOrigin(request, platform.config)
  const token = sessionTokenOf(visit)
  const customer = token && (await findSignedIn(platform.db, store, token))
  if (!customer) return reply.redirect('/portal', 303)
  const subscriptionId = parameter(request, 'subscriptionId')
  if (!isUuid(subscriptionId)) throw notFound('subscription')
  await transact(platform.db, (tx) => cancelSubscriptionOfCustomer(tx, store, customer, subscriptionId))
  return reply.redirect('/portal', 303)
}

export async function leave(visit: StoreVisit): Promise<FastifyReply> {
  const { platform, store, request, reply } = visit
  refuseForeignOrigin(request, platform.config)
  const token = sessionTokenOf(visit)
  if (token) await transact(platform.db, (tx) => leavePortal(tx, store, token))
  clearCookie(reply, sessionCookie, isSecure(visit))
  return reply.redirect('/portal', 303)
}

function sessionTokenOf(visit: StoreVisit): string | undefined {
  const token = readCookie(visit.request, sessionCookie, isSecure(visit))
  return token !== undefined && tokenForm.test(token) ? token : undefined
}

function isSecure({ platform }: StoreVisit): boolean {
  return platform.config.storeScheme === 'https:'
}

function send({ platform, request, reply }: StoreVisit, page: Html, status = 200): Promise<FastifyReply> {
  return sendPage({ request, reply, config: platform.config }, page, { status, isSecret: true })
}
