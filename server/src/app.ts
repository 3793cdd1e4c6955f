import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { projectFolder } from '#config'
import { serveDocs } from '#docs/pages'
import { createGate } from '#gate'
import type { Draining } from '#health/routes'
import { implementationsOf } from '#implementations'
import { serveConsentPages } from '#oauth2/pages'
import { openDashboard } from '#platform/http/dashboard'
import { sendFailure } from '#platform/http/failures'
import { createFront } from '#platform/http/front'
import { destinationOf, hostOf } from '#platform/http/hosts'
import { createTurnstile } from '#platform/http/turnstile'
import { type Answered, createInstance } from '#platform/http/instance'
import { type MountOptions, mount, requestDeadlineSeconds } from '#platform/http/mount'
import { anyOrigin } from '#platform/http/origins'
import { createProvenFront, Proven } from '#platform/http/proven'
import type { Handle } from '#platform/http/server'
import { countRequest } from '#platform/metrics/metrics'
import type { Platform } from '#platform/platform'
import { notFound } from '#problem'
import { serveImages } from '#products/image-pages'
import { serveAssets, serveEmbedScript } from '#storefront/assets'
import { serveMarket } from '#storefront/market-pages'
import { sendNotFound, serveStorePages } from '#storefront/pages'
import { servePreviewTheme } from '#storefront/preview-pages'
import { pageKeyOf } from '#storefront/shared-pages'
import { countVisitLater } from '#storefront/visit'

export interface App {
  /** Answers a request on whichever host it names. */
  handle: Handle
  api: FastifyInstance
  dash: FastifyInstance
  store: FastifyInstance
  market: FastifyInstance
  /** Set to turn readiness red before the listener closes. */
  draining: Draining
  /** Lays what was left for later, once. What is asked of it before waits. */
  complete(): Promise<void>
  close(): Promise<void>
}

interface AppOptions extends Pick<MountOptions, 'areRepliesChecked' | 'deadlineSeconds'> {
  /** Its routes take as long to lay as all others together. */
  isDashboardLater: boolean
}

/** One listener, several hosts, and what each of them answers. */
export async function createApp(platform: Platform, options: Partial<AppOptions> = {}): Promise<App> {
  const { areRepliesChecked = false, deadlineSeconds = requestDeadlineSeconds, isDashboardLater = false } = options
  const { config, log, db, limits } = platform
  const draining: Draining = { isDraining: false, hasSuccessor: false }
  const implementations = implementationsOf(draining)
  const gate = createGate(platform)
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

  const pictures = config.imageHosts.map((host) => `${config.apiUrl.protocol}//${host}`)
  const { sendShell, serveFiles } = openDashboard(join(projectFolder, 'dashboard/dist'), pictures)
  const dash = createInstance({
    ...common('dash'),
    onNotFound: (request, reply) => {
      const isPage = ['GET', 'HEAD'].includes(request.method) && !/^\/(api|assets)\//.test(request.url)
      if (isPage) sendShell(reply, 200)
      else sendFailure(notFound('address here'), request, reply)
    },
  })
  const completed = Promise.withResolvers<void>()
  let isComplete = false
  let laying: Promise<void> | undefined
  let isClosing = false
  const complete = () => (laying ??= isClosing ? Promise.resolve() : layDashboard())
  async function layDashboard(): Promise<void> {
    serveFiles(dash)
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
    await dash.ready()
    isComplete = true
    completed.resolve()
  }

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

  const enter = createTurnstile()
  await Promise.all([api.ready(), store.ready(), market.ready()])
  if (!isDashboardLater) await complete()
  return {
    handle: (request, response) => {
      const { kind } = destinationOf(hosts, request)
      if (kind === 'dash' && !isComplete) return void completed.promise.then(() => dash.routing(request, response))
      if (kind === 'api' && (answerFromKept(request, response) || answerIfProven(request, response))) return
      if ((kind === 'label' || kind === 'domain') && showFromKept(request, response)) return
      const instance = kind === 'api' ? api : kind === 'dash' ? dash : kind === 'market' ? market : store
      enter(() => instance.routing(request, response))
    },
    api,
    dash,
    store,
    market,
    draining,
    complete,
    close: async () => {
      isClosing = true
      await laying
      await Promise.all([api.close(), dash.close(), store.close(), market.close()])
    },
  }
}
