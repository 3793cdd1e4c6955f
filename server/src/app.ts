import { join } from 'node:path'
import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import type { FastifyInstance } from 'fastify'
import { accountPerformers, accountSchedules } from '#account/jobs'
import { accountRoutes } from '#account/routes'
import { staffUserRoutes } from '#account/staff-routes'
import { affiliateRoutes } from '#affiliates/routes'
import { analyticsPerformers, analyticsSchedules } from '#analytics/jobs'
import { analyticsRoutes } from '#analytics/routes'
import { appRoutes } from '#apps/routes'
import { recordAct } from '#audit-log/act'
import { auditLogPerformers, auditLogSchedules } from '#audit-log/jobs'
import { auditLogRoutes } from '#audit-log/routes'
import { checkoutRoutes } from '#checkout/routes'
import { projectFolder } from '#config'
import { couponPerformers, couponSchedules } from '#coupons/jobs'
import { findCoupon } from '#coupons/coupon'
import { couponRoutes } from '#coupons/routes'
import { customerPerformers, customerSchedules } from '#customers/jobs'
import { findCustomer } from '#customers/customer'
import { creditRoutes } from '#credit/routes'
import { customerRoutes } from '#customers/routes'
import { cryptocurrencyRoutes } from '#cryptocurrency/routes'
import { customDomainPerformers, customDomainSchedules } from '#custom-domain/jobs'
import { customDomainRoutes } from '#custom-domain/routes'
import { eventRoutes } from '#events/routes'
import { findFaqEntry } from '#faq/faq'
import { faqRoutes } from '#faq/routes'
import { developmentRoutes } from '#development/routes'
import { serveDocs } from '#docs/pages'
import { type Draining, healthRoutes } from '#health/routes'
import { disconnectApp, revokeKeysOfApp, revokeKeysOfUser } from '#keys/key'
import { keyRoutes } from '#keys/routes'
import { admitKey, admitSession } from '#keys/admission'
import { memberPerformers, memberSchedules } from '#members/jobs'
import { memberRoutes } from '#members/routes'
import { oauth2Performers, oauth2Schedules } from '#oauth2/jobs'
import { oauth2Routes } from '#oauth2/routes'
import { serveConsentPages } from '#oauth2/pages'
import { operatorPerformers } from '#operator/jobs'
import { openapiRoutes } from '#openapi/routes'
import { orderPerformers } from '#orders/jobs'
import { admitOrder, findOrder } from '#orders/order-key'
import { orderRoutes } from '#orders/routes'
import { sellerOrderRoutes } from '#orders/seller-routes'
import { claimRoutes } from '#orders/claim-routes'
import { till } from '#orders/till'
import { paymentRoutes } from '#payments/routes'
import { paymentPerformers, paymentSchedules } from '#payments/jobs'
import { dynamicOutcomes } from '#orders/dynamic-answer'
import { paymentMethodRoutes } from '#payment-methods/routes'
import { eraseCustomer } from '#privacy/erasure'
import { privacyPerformers, privacySchedules } from '#privacy/jobs'
import { privacyRoutes } from '#privacy/routes'
import { serveDashboard } from '#platform/http/dashboard'
import { sendFailure } from '#platform/http/failures'
import { createFront } from '#platform/http/front'
import { anyOrigin } from '#platform/http/origins'
import type { Gate } from '#platform/http/gate'
import { destinationOf, hostOf } from '#platform/http/hosts'
import { type Implementation, implement } from '#platform/http/implement'
import { type Answered, createInstance } from '#platform/http/instance'
import { type MountOptions, mount, requestDeadlineSeconds } from '#platform/http/mount'
import { createProvenFront, Proven } from '#platform/http/proven'
import type { Handle } from '#platform/http/server'
import { idempotencyPerformers, idempotencySchedules } from '#platform/idempotency/jobs'
import type { Performer, Schedule, Watch } from '#platform/jobs/job'
import { mailPerformers, mailSchedules } from '#platform/mail/jobs'
import { countRequest } from '#platform/metrics/metrics'
import type { Platform } from '#platform/platform'
import { notFound, Problem } from '#problem'
import { findProductGroup } from '#product-groups/product-group'
import { productGroupRoutes } from '#product-groups/routes'
import { serveImages } from '#products/image-pages'
import { productPerformers, productSchedules } from '#products/jobs'
import { findProduct } from '#products/product'
import { productRoutes } from '#products/routes'
import { staffProductRoutes } from '#products/staff-routes'
import { reportPerformers, reportSchedules } from '#reports/jobs'
import { reportRoutes } from '#reports/routes'
import { findReview } from '#reviews/review'
import { reviewPerformers } from '#reviews/jobs'
import { reviewRoutes } from '#reviews/routes'
import { quoteRoutes } from '#quote/routes'
import { storePerformers, storeSchedules } from '#stores/jobs'
import { serveAssets } from '#storefront/assets'
import { serveEmbedScript } from '#storefront/assets'
import { serveMarket } from '#storefront/market-pages'
import { sendNotFound, serveStorePages } from '#storefront/pages'
import { servePreviewTheme } from '#storefront/preview-pages'
import { storefrontRoutes } from '#storefront/routes'
import { pageKeyOf } from '#storefront/shared-pages'
import { countVisitLater } from '#storefront/visit'
import { storeRoutes } from '#stores/routes'
import { attachmentRoutes } from '#tickets/attachment-routes'
import { ticketPerformers, ticketSchedules } from '#tickets/jobs'
import { staffStoreRoutes } from '#stores/staff-routes'
import { subscriptionRoutes } from '#subscriptions/routes'
import { ticketRoutes } from '#tickets/routes'
import { findTicket, findTicketOfOrder } from '#tickets/ticket'
import { userRoutes } from '#user/routes'
import { webhookPerformers, webhookSchedules, webhookWatches } from '#webhooks/jobs'
import { webhookRoutes } from '#webhooks/routes'

export interface App {
  /** Answers a request on whichever host it names. */
  handle: Handle
  api: FastifyInstance
  dash: FastifyInstance
  store: FastifyInstance
  market: FastifyInstance
  /** Set to turn readiness red before the listener closes. */
  draining: Draining
  close(): Promise<void>
}

export const performers: Performer[] = [
  ...accountPerformers,
  ...analyticsPerformers,
  ...auditLogPerformers,
  ...couponPerformers,
  ...customDomainPerformers,
  ...customerPerformers,
  ...idempotencyPerformers,
  ...mailPerformers,
  ...memberPerformers,
  ...operatorPerformers,
  ...oauth2Performers,
  ...orderPerformers,
  ...paymentPerformers(till),
  ...productPerformers,
  ...privacyPerformers,
  ...reportPerformers,
  ...reviewPerformers,
  ...storePerformers,
  ...ticketPerformers,
  ...webhookPerformers(dynamicOutcomes),
]
export const schedules: Schedule[] = [
  ...accountSchedules,
  ...analyticsSchedules,
  ...auditLogSchedules,
  ...couponSchedules,
  ...customDomainSchedules,
  ...customerSchedules,
  ...idempotencySchedules,
  ...mailSchedules,
  ...paymentSchedules,
  ...memberSchedules,
  ...productSchedules,
  ...oauth2Schedules,
  ...privacySchedules,
  ...reportSchedules,
  ...storeSchedules,
  ...ticketSchedules,
  ...webhookSchedules,
]
export const watches: Watch[] = webhookWatches

type AppOptions = Pick<MountOptions, 'areRepliesChecked' | 'deadlineSeconds'>

/** The only place that knows every module. */
export async function createApp(platform: Platform, options: Partial<AppOptions> = {}): Promise<App> {
  const { areRepliesChecked = false, deadlineSeconds = requestDeadlineSeconds } = options
  const { config, log, db, limits } = platform
  const draining: Draining = { isDraining: false, hasSuccessor: false }
  const implementations = withTheUnbuilt([
    ...accountRoutes(revokeKeysOfUser),
    ...affiliateRoutes,
    ...analyticsRoutes,
    ...appRoutes({ revokeKeysOfApp, disconnect: disconnectApp }),
    ...auditLogRoutes,
    ...checkoutRoutes,
    ...couponRoutes,
    ...developmentRoutes,
    ...cryptocurrencyRoutes,
    ...customDomainRoutes,
    ...customerRoutes(eraseCustomer),
    ...eventRoutes(draining),
    ...faqRoutes,
    ...healthRoutes(draining),
    ...keyRoutes,
    ...memberRoutes,
    ...oauth2Routes,
    ...openapiRoutes,
    ...orderRoutes,
    ...paymentMethodRoutes(till),
    ...paymentRoutes,
    ...creditRoutes,
    ...claimRoutes,
    ...sellerOrderRoutes,
    ...productGroupRoutes,
    ...productRoutes,
    ...quoteRoutes,
    ...privacyRoutes,
    ...reportRoutes,
    ...reviewRoutes,
    ...storefrontRoutes,
    ...staffProductRoutes,
    ...staffStoreRoutes,
    ...staffUserRoutes,
    ...storeRoutes,
    ...subscriptionRoutes,
    ...attachmentRoutes,
    ...ticketRoutes,
    ...userRoutes,
    ...webhookRoutes,
  ])
  const gate: Gate = {
    admitKey: (apiKey, storeId, visit, wanted) => admitKey(platform, apiKey, storeId, visit, wanted),
    admitSession: (token, storeId, visit) => admitSession(platform, token, storeId, visit),
    admitOrder: (orderId, key) => admitOrder(db, orderId, key),
    recordAct,
    loaders: {
      groupId: findProductGroup,
      productId: findProduct,
      faqId: findFaqEntry,
      reviewId: findReview,
      ticketId: findTicket,
      couponId: findCoupon,
      orderId: findOrder,
      customerId: findCustomer,
    },
    orderLoaders: { ticketId: findTicketOfOrder },
  }
  const common = (host: string) => ({
    log,
    trustProxy: config.trustProxy,
    isSecure: config.apiUrl.protocol === 'https:',
    onAnswered: (answered: Answered) => countRequest(host, answered),
  })

  const api = createInstance(common('api'))
  const proven = new Proven()
  const door = { db, gate, limits }
  serveImages(api, platform)
  serveEmbedScript(api)
  serveDocs(api, platform)
  mount(api, implementations, {
    prefix: '',
    door: { ...door, host: 'api', origin: config.apiUrl.origin },
    platform,
    proven,
    areRepliesChecked,
    deadlineSeconds,
  })

  const dash = createInstance({
    ...common('dash'),
    onNotFound: (request, reply) => {
      const isPage = ['GET', 'HEAD'].includes(request.method) && !/^\/(api|assets)\//.test(request.url)
      if (isPage) sendShell(reply, 200)
      else sendFailure(notFound('address here'), request, reply)
    },
  })
  const { apiUrl, imageHosts } = platform.config
  const pictures = imageHosts.map((host) => `${apiUrl.protocol}//${host}`)
  const sendShell = serveDashboard(dash, join(projectFolder, 'dashboard/dist'), pictures)
  serveConsentPages(dash, platform, sendShell)
  // What the dashboard shows of a store is made of the store's own parts.
  serveImages(dash, platform)
  serveAssets(dash)
  servePreviewTheme(dash)
  mount(dash, implementations, {
    prefix: '/api',
    door: { ...door, host: 'dash', origin: config.dashUrl.origin },
    platform,
    proven,
    areRepliesChecked,
    deadlineSeconds,
  })

  const hosts = {
    api: config.apiUrl.host,
    dash: config.dashUrl.host,
    storeDomain: config.storeDomain,
    trustProxy: config.trustProxy,
  }
  const store = createInstance({ ...common('store'), onNotFound: sendNotFound })
  serveImages(store, platform)
  serveStorePages(store, platform, {
    destinationOf: (request) => destinationOf(hosts, request.raw),
    hostOf: (request) => hostOf(hosts, request),
    draining,
  })

  const { kept } = platform
  const answerFromKept = createFront({
    ...common('api'),
    kept,
    limits,
    keyOf: ({ url }) => url,
    headers: anyOrigin,
  })
  const answerIfProven = createProvenFront({
    ...common('api'),
    proven,
    limits,
    deadlineSeconds,
    onUnproven: (request, response) => api.routing(request, response),
  })
  const showFromKept = createFront({
    ...common('store'),
    kept,
    limits,
    keyOf: (request) => pageKeyOf(request, hostOf(hosts, request)),
    onServed: ({ headers }, ip, storeId) => countVisitLater(platform, { ip, headers }, storeId),
  })
  const market = createInstance({ ...common('market'), onNotFound: sendNotFound })
  serveImages(market, platform)
  serveMarket(market, platform)

  await Promise.all([api.ready(), dash.ready(), store.ready(), market.ready()])
  return {
    handle: (request, response) => {
      const { kind } = destinationOf(hosts, request)
      if (kind === 'api' && (answerFromKept(request, response) || answerIfProven(request, response))) return
      if ((kind === 'label' || kind === 'domain') && showFromKept(request, response)) return
      const instance = kind === 'api' ? api : kind === 'dash' ? dash : kind === 'market' ? market : store
      instance.routing(request, response)
    },
    api,
    dash,
    store,
    market,
    draining,
    close: async () => {
      await Promise.all([api.close(), dash.close(), store.close(), market.close()])
    },
  }
}

/** What the contract promises and nobody has built yet says so, after the same checks as everything else. */
function withTheUnbuilt(built: Implementation[]): Implementation[] {
  const known = new Set<Endpoint>(built.map(({ endpoint }) => endpoint))
  const unbuilt = Object.values<Endpoint>(endpoints).filter((endpoint) => !known.has(endpoint))
  return [
    ...built,
    ...unbuilt.map((endpoint) =>
      implement(endpoint, async () => {
        throw new Problem('NotImplemented', 'This endpoint is part of the contract and not built yet')
      }),
    ),
  ]
}
