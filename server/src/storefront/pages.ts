import type { IncomingMessage } from 'node:http'
import { failureCodes } from '@keystall/contract/envelope'
import { Html } from '@keystall/storefront/html'
import { closedPage, failurePage, noStorePage } from '@keystall/storefront/pages/not-found'
import { problemText } from '@keystall/storefront/refusals'
import { type Speech, speechOf } from '@keystall/storefront/speech'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asProblem } from '#platform/http/failures'
import type { Destination } from '#platform/http/hosts'
import type { Platform } from '#platform/platform'
import { notFound, type Problem } from '#problem'
import { findStoreByUrl, type OpenStore } from '#views/open-store'
import { serveAssets, serveEmbedScript, sharedAssets } from './assets.ts'
import { addToBasket, changeBasket, changeEmbedded, showBasket, showEmbedded } from './basket-pages.ts'
import { showGroup, showPrivacy, showProduct, showReviews, showTerms } from './catalogue-pages.ts'
import { confirmQuestion, sendQuestion, showContact, showQuestion } from './contact-pages.ts'
import { readForms } from './form.ts'
import { showHome } from './home-page.ts'
import { toggleLike } from './like-pages.ts'
import { keepLanguage, languageOf } from './language.ts'
import { sendRobots, sendSitemap, sendTheme } from './machine-pages.ts'
import { sendStatus, streamStatus } from './order-events.ts'
import {
  admitBuyer,
  askForCreditCode,
  askForHelp,
  cancel,
  goToPayment,
  leadBack,
  type OrderVisit,
  payByCredit,
  payWithPlayMoney,
  publishReview,
  recommend,
  replyToSeller,
  reveal,
  sayPaid,
  sendAttachmentOfOrder,
  sendOrderFile,
  sendProof,
  sendReceipt,
  showOrder,
} from './order-pages.ts'
import { askForLink, endRenewal, enter, leave, showEntrance, showPortal } from './portal-pages.ts'
import { keepReferrer } from './referral.ts'
import { sendReport, showReport } from './report-pages.ts'
import { contentPolicy, sendPage, type Sender } from './sending.ts'
import { shared } from './shared-pages.ts'
import { shopOf, themeAddress } from './shop.ts'
import {
  admitAsker,
  askAgain,
  leadToTicket,
  replyOnTicket,
  sendAttachment,
  showTicket,
  type TicketVisit,
} from './ticket-pages.ts'
import { endSubscription, showUnsubscribe } from './unsubscribe-pages.ts'
import type { StoreVisit } from './visit.ts'

/** Pages whose addresses hold a key: they are kept by nobody. */
const holdsKey = /^\/(checkout|ticket|contact|portal|unsubscribe)\//

interface Door {
  destinationOf: (request: FastifyRequest) => Destination
  hostOf: (request: IncomingMessage) => string
  draining: { isDraining: boolean }
}

type Answer = (visit: StoreVisit) => Promise<Html | FastifyReply>

/** The pages that buyers see, on the store's own host. */
export function serveStorePages(
  app: FastifyInstance,
  platform: Platform,
  { destinationOf, hostOf, draining }: Door,
): void {
  serveAssets(app)
  serveEmbedScript(app)
  app.register(async (scope) => {
    readForms(scope)
    scope.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply))

    share('/', showHome)
    share('/product/:productId', showProduct)
    act('/product/:productId/like', toggleLike)
    share('/group/:groupId', showGroup)
    look('/reviews', showReviews)
    look('/terms', showTerms)
    look('/privacy', showPrivacy)
    look('/contact', showContact)
    act('/contact', sendQuestion)
    look('/contact/:requestId', showQuestion)
    act('/contact/:requestId', confirmQuestion)
    look('/report', showReport)
    act('/report', sendReport)
    look('/ticket/:ticketId', forAsker(showTicket))
    look('/ticket/:ticketId/attachments/:attachmentId', forAsker(sendAttachment))
    look('/unsubscribe/:customerId', showUnsubscribe)
    act('/unsubscribe/:customerId', endSubscription)
    answer('reply', replyOnTicket)
    answer('again', askAgain)
    look('/theme.css', sendTheme)
    look('/robots.txt', sendRobots)
    look('/sitemap.xml', sendSitemap)
    look('/favicon.ico', async ({ store, reply }) =>
      reply.redirect(store.logoName ? `/images/${store.logoName}?width=160` : sharedAssets.mark, 302),
    )

    look('/portal', showPortal)
    act('/portal', askForLink)
    look('/portal/enter', showEntrance)
    act('/portal/enter', enter)
    act('/portal/leave', leave)
    act('/portal/subscription/:subscriptionId/cancel', endRenewal)
    look('/portal/subscription/:subscriptionId/cancel', async ({ reply }) => reply.redirect('/portal', 303))
    look('/portal/leave', async ({ reply }) => reply.redirect('/portal', 303))

    look('/embed/:productId', showEmbedded)
    act('/embed/:productId', changeEmbedded)
    look('/basket', showBasket)
    act('/basket', changeBasket)
    act('/basket/add', addToBasket)
    look('/basket/add', async ({ reply }) => reply.redirect('/basket', 303))

    look('/checkout/:orderId', forBuyer(showOrder))
    look('/checkout/:orderId/pay', forBuyer(goToPayment))
    look(
      '/checkout/:orderId/events',
      forBuyer((visit) => streamStatus(visit, draining)),
    )
    look('/checkout/:orderId/status', forBuyer(sendStatus))
    look('/checkout/:orderId/files/:fileId', forBuyer(sendOrderFile))
    look('/checkout/:orderId/ticket/:ticketId/attachments/:attachmentId', forBuyer(sendAttachmentOfOrder))
    look('/checkout/:orderId/receipt', forBuyer(sendReceipt))
    change('test-payment', payWithPlayMoney)
    change('claim', sayPaid)
    change('proof', sendProof)
    change('credit-code', askForCreditCode)
    change('credit', payByCredit)
    change('cancel', cancel)
    change('reveal', reveal)
    change('ticket', askForHelp)
    change('ticket/:ticketId', replyToSeller)
    change('review', publishReview)
    change('affiliate', recommend)

    look('/*', async () => {
      throw notFound('page')
    })

    /** For all who bring no cookie it is one page, which is kept and sent before anybody comes here. */
    function share(url: string, answer: (visit: StoreVisit) => Promise<Html>): void {
      route(['GET', 'HEAD'], url, shared(platform, hostOf, answer))
    }

    function look(url: string, answer: Answer): void {
      route(['GET', 'HEAD'], url, answer)
    }

    function act(url: string, answer: Answer): void {
      route(['POST'], url, answer)
    }

    function change(name: string, answer: (visit: OrderVisit) => Promise<FastifyReply>): void {
      act(`/checkout/:orderId/${name}`, forBuyer(answer))
      look(`/checkout/:orderId/${name}`, forBuyer(leadBack))
    }

    function answer(name: string, answer: (visit: TicketVisit) => Promise<FastifyReply>): void {
      act(`/ticket/:ticketId/${name}`, forAsker(answer))
      look(`/ticket/:ticketId/${name}`, forAsker(leadToTicket))
    }

    function route(method: string[], url: string, answer: Answer): void {
      scope.route({
        method,
        url,
        config: { route: url.replace(/:(\w+)/g, '{$1}') },
        handler: async (request, reply) => {
          platform.limits.takeAddress(request.ip, reply)
          request.reading = platform.kept.begin()
          const found = await findStore(request)
          const store = found && isThere(found, url) ? found : undefined
          const speech = speechFor(request)
          keepLanguage(request, reply, platform.config)
          const sending = { request, reply, config: platform.config }
          if (!store) return sendNoStore(sending, found)
          const visit = { platform, store, request, reply, speech }
          keepReferrer(visit)
          const answered = await answer(visit).finally(() => {
            if (request.method === 'POST') platform.kept.forget(store.id)
          })
          // A reply that was sent is awaited to nothing.
          return answered instanceof Html ? sendPage(sending, answered) : reply
        },
      })
    }
  })

  /** Open or closed. */
  async function findStore(request: FastifyRequest): Promise<OpenStore | undefined> {
    const name = nameOf(request)
    return name === undefined ? undefined : findStoreByUrl(platform.db, name)
  }

  function nameOf(request: FastifyRequest): string | undefined {
    const destination = destinationOf(request)
    // A label with a dot would be taken for a domain, and a domain without one for a label.
    if (destination.kind === 'label' && !destination.label.includes('.')) return destination.label
    if (destination.kind === 'domain' && destination.domain.includes('.')) return destination.domain
    return undefined
  }

  /** A closed store says so in its own colours. */
  async function sendNoStore(sending: Sender, closed: OpenStore | undefined): Promise<FastifyReply> {
    const speech = speechFor(sending.request)
    const page = closed
      ? closedPage(speech, sharedAssets, { name: closed.name, theme: themeAddress(closed) })
      : noStorePage(speech, sharedAssets)
    return sendPage(sending, page, { status: 404 })
  }

  /** A page that says what happened, in the store's look as long as the store can be found. */
  async function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const problem = asProblem(error)
    const status = failureCodes[problem.code]
    if (status >= 500) request.log.error({ err: error, requestId: request.id }, 'request failed')
    if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', String(problem.retryAfterSeconds))
    const isSecret = holdsKey.test(request.url)
    const sending = { request, reply, config: platform.config }
    const speech = speechFor(request)
    const shop = await findStore(request)
      .then((store) =>
        store && isThere(store, request.url) ? shopOf({ platform, store, request, speech }) : undefined,
      )
      .catch(() => undefined)
    const page = shop ? failurePage(shop, wordsOf(speech, problem, request.url)) : noStorePage(speech, sharedAssets)
    return sendPage(sending, page, { status, isSecret })
  }
}

/** Of a closed store only orders are left: they stay where they are. */
function isThere({ closedAt }: OpenStore, url: string): boolean {
  return closedAt === null || url.startsWith('/checkout/') || url === '/theme.css'
}

function forBuyer(answer: (visit: OrderVisit) => Promise<FastifyReply>): Answer {
  return async (visit) => answer(await admitBuyer(visit))
}

function forAsker(answer: (visit: TicketVisit) => Promise<FastifyReply>): Answer {
  return async (visit) => answer(await admitAsker(visit))
}

function speechFor(request: FastifyRequest): Speech {
  return speechOf(languageOf(request).language)
}

function wordsOf(speech: Speech, { code, message }: Problem, url: string): { title: string; text: string } {
  const { say } = speech
  switch (code) {
    case 'NotFound':
      return { title: say('notHere'), text: say(notHereKey(url)) }
    case 'RateLimited':
      return { title: say('oneMoment'), text: problemText(speech, message) }
    case 'Unavailable':
      return { title: say('backInAMoment'), text: problemText(speech, message) }
    case 'InternalServerError':
      return { title: say('somethingWrong'), text: say('ourFault') }
    default:
      return { title: say('didNotWork'), text: problemText(speech, message) }
  }
}

function notHereKey(url: string) {
  if (url.startsWith('/checkout/')) return 'orderNotHereText'
  return holdsKey.test(url) ? 'linkNotHereText' : 'notHereText'
}

/** For addresses that no page has, whatever the host. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .status(404)
    .headers({
      'content-security-policy': contentPolicy({ apiUrl: new URL('http://localhost'), imageHosts: [] }),
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(noStorePage(speechFor(request), sharedAssets).text)
}
