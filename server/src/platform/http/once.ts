import type { Endpoint } from '@keystall/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import type { Db, Tx } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { type Claim, claimRequest, releaseClaim, storeAnswer } from '#platform/idempotency/idempotency'
import type { Platform } from '#platform/platform'
import { serialize } from './serialization.ts'

/**
 * Runs the effect of a request in one transaction. The work returns the handler's answer, which is stored with the
 * effect when the caller sent an Idempotency-Key.
 */
export type Once = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

export interface OnceOptions {
  platform: Platform
  /** The handler's own handle: the effect's transaction runs on it. */
  db: Db
  endpoint: Endpoint
  request: FastifyRequest
  /** Null when the caller sent none. */
  key: string | null
  body: unknown
}

/** Does the work, or hands back the text that the same request was answered with. */
export async function answerOnce<T>(
  { platform, db, endpoint, request, key, body }: OnceOptions,
  work: (once: Once) => Promise<T>,
): Promise<{ result: T } | { text: string }> {
  const { secrets } = platform
  if (key === null) return { result: await work((inside) => transact(db, inside)) }

  const held = await claimRequest(platform.db, secrets, {
    scope: scopeOf(request),
    key,
    method: endpoint.method,
    url: request.url.split('?', 1)[0] ?? '',
    body,
  })
  if ('answer' in held) return { text: held.answer }
  let isKept = false
  try {
    const result = await work(async (inside) => {
      const answer = await transact(db, async (tx) => {
        const answer = await inside(tx)
        await keep(tx, platform, held.claim, endpoint, answer)
        return answer
      })
      isKept = true
      return answer
    })
    // An answer without an effect of its own, or of a handler that did not say where its effect is.
    if (!isKept) await transact(platform.db, (tx) => keep(tx, platform, held.claim, endpoint, result))
    return { result }
  } catch (error) {
    await releaseClaim(platform.db, held.claim).catch((failure: unknown) => {
      platform.log.warn({ err: failure }, 'a claimed Idempotency-Key waits for its end')
    })
    throw error
  }
}

function keep(tx: Tx, { secrets }: Platform, claim: Claim, { reply }: Endpoint, answer: unknown): Promise<void> {
  return storeAnswer(tx, secrets, claim, typeof reply === 'string' ? '' : serialize(reply, answer))
}

/** The key, because two may see different things; a session's user; the order whose key was shown; or the store. */
function scopeOf({ passage, params }: FastifyRequest): string {
  if (passage?.caller?.kind === 'key') return `key ${passage.caller.id}`
  if (passage?.caller) return `user ${passage.caller.userId}`
  const { order } = Object(passage?.rows ?? {})
  return order ? `order ${order.id}` : `store ${Object(params)['storeId']}`
}
