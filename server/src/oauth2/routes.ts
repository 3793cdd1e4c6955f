import * as contract from '@keystall/contract/endpoints/oauth2'
import { implement, type Implementation, ok } from '#platform/http/implement'
import { describeConsent } from './consent.ts'
import { exchangeCode } from './exchange.ts'

export const oauth2Routes: Implementation[] = [
  implement(contract.exchangeCode, async ({ platform, path, query, visit, request, reply }) => {
    reply.header('cache-control', 'no-store')
    platform.limits.takeAttempt(visit.ip)
    const header = request.headers['xoauth2-client-secret']
    const apiKey = await exchangeCode(platform, {
      appId: path.appId,
      code: path.code,
      clientSecret: typeof header === 'string' ? header : undefined,
      codeVerifier: query.code_verifier,
      ip: visit.ip,
    })
    return ok(apiKey, 'Keep the key: it is shown only now')
  }),

  implement(contract.getConsent, async ({ platform, caller, path, query, visit }) => {
    const answerer = { sessionId: caller.id, userId: caller.userId, ip: visit.ip }
    return ok(
      await describeConsent(platform, answerer, path.appId, {
        redirectUrl: query.redirectUrl,
        state: query.state,
        codeChallenge: query.code_challenge,
        codeChallengeMethod: query.code_challenge_method,
      }),
    )
  }),
]
