import { failureCodes } from '@keystall/contract/envelope'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loadApp } from '#apps/app'
import { admitSession } from '#keys/admission'
import { isUuid } from '#platform/db/ids'
import type { SendShell } from '#platform/http/dashboard'
import { asProblem } from '#platform/http/failures'
import { refuseOtherMethods } from '#platform/http/other-methods'
import { sessionToken } from '#platform/http/session-cookie'
import type { Platform } from '#platform/platform'
import { visitOf } from '#platform/http/visit'
import { applicationNotFound, invalid, Problem, unauthorized } from '#problem'
import { type Answerer, answerConsent, type ConsentAnswer } from './consent.ts'
import { readParameters, single } from './parameters.ts'
import { type AuthorizationRequest, checkRequest } from './request.ts'

const url = '/oauth2/:appId'
const config = { route: '/oauth2/{appId}' }
const formType = 'application/x-www-form-urlencoded'

/** The page where a person lets an app in, on the dashboard's host. It answers with a page or a redirect, not with JSON. */
export function serveConsentPages(dash: FastifyInstance, platform: Platform, sendShell: SendShell): void {
  dash.route({
    method: ['GET', 'HEAD'],
    url,
    config,
    handler: async (request, reply) => showConsent(platform, sendShell, request, reply),
  })
  // In a scope of its own: no other route of this host reads forms.
  dash.register(async (scope) => {
    scope.addContentTypeParser(formType, { parseAs: 'string' }, (_request, body, done) => done(null, String(body)))
    scope.post(url, { config }, async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      return answerOrTell(platform, sendShell, request, reply)
    })
  })
  refuseOtherMethods(dash, url, ['GET', 'HEAD', 'POST'], config)
}

/** The page itself says what is wrong; the status says it to programs. Nothing wrong ever redirects. */
async function showConsent(platform: Platform, sendShell: SendShell, request: FastifyRequest, reply: FastifyReply) {
  try {
    platform.limits.takeAddress(request.ip, reply)
    const { redirectUrl } = await readRequest(platform, request)
    // Browsers hold a form's redirect to the page's policy.
    return sendShell(reply, 200, { formActions: [new URL(redirectUrl).origin] })
  } catch (error) {
    const problem = asProblem(error)
    if (problem.code === 'ValidationError') return sendShell(reply, 400)
    if (problem.code === 'ApplicationNotFound') return sendShell(reply, 404)
    throw error
  }
}

async function readRequest(platform: Platform, request: FastifyRequest): Promise<AuthorizationRequest> {
  const app = await loadApp(platform.db, appIdOf(request))
  const parameters = readParameters(request.url.split('?').slice(1).join('?'))
  return checkRequest(app, {
    redirectUrl: single(parameters, 'redirectUrl'),
    state: single(parameters, 'state'),
    codeChallenge: single(parameters, 'code_challenge'),
    codeChallengeMethod: single(parameters, 'code_challenge_method'),
  })
}

/** A browser is told on a page what went wrong, a program in JSON; what is a bug is logged like every other. */
async function answerOrTell(platform: Platform, sendShell: SendShell, request: FastifyRequest, reply: FastifyReply) {
  try {
    return reply.redirect(await takeAnswer(platform, request), 303)
  } catch (error) {
    const { code, message } = asProblem(error)
    const isForPerson = request.headers.accept?.includes('text/html') ?? false
    if (!isForPerson || failureCodes[code] >= 500) throw error
    return sendShell(reply, failureCodes[code], { failed: { message, requestId: request.id } })
  }
}

/** The answer must come from our own page, of the person who is signed in. */
async function takeAnswer(platform: Platform, request: FastifyRequest): Promise<string> {
  if (request.headers.origin !== platform.config.dashUrl.origin) {
    throw new Problem('AccessDenied', 'Answers are only taken from the dashboard itself')
  }
  const answerer = await findAnswerer(platform, request)
  return answerConsent(platform, answerer, appIdOf(request), readAnswer(request.body))
}

async function findAnswerer(platform: Platform, request: FastifyRequest): Promise<Answerer> {
  const token = sessionToken(request, platform.config.dashUrl.protocol === 'https:')
  const visit = visitOf(request)
  const admission = token === undefined ? undefined : await admitSession(platform, token, undefined, visit)
  if (!admission) throw unauthorized('Sign in to go on')
  return { sessionId: admission.caller.id, userId: admission.caller.userId, ip: request.ip }
}

function readAnswer(body: unknown): ConsentAnswer {
  const form = readParameters(typeof body === 'string' ? body : '')
  const isAll = single(form, 'stores') === 'all'
  const storeIds = [...new Set(form.get('storeId') ?? [])]
  if (!storeIds.every(isUuid)) throw invalid({ storeId: 'must be the id of a store' })
  return {
    formToken: single(form, 'formToken') ?? '',
    decision: single(form, 'decision'),
    storeIds: isAll ? null : storeIds,
  }
}

function appIdOf(request: FastifyRequest): string {
  const appId: unknown = Object(request.params)['appId']
  if (typeof appId !== 'string' || !isUuid(appId)) throw applicationNotFound()
  return appId
}
