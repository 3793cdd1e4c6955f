import { createHash } from 'node:crypto'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { open, seal } from '#platform/secrets/seal'
import type { SecretKey } from '#platform/secrets/secret-key'
import { conflict, Problem } from '#problem'
import { deleteClaim, insertClaim, selectKey, updateAnswer } from './queries.ts'

/** A request that must have its effect once, whoever repeats it. */
export interface OnceRequest {
  /** Whose key it is: keys of two callers never meet. */
  scope: string
  key: string
  method: string
  url: string
  body: unknown
}

/** The right to do the work of a request now. It ends by itself, so that a process that died blocks nobody. */
export interface Claim {
  scope: string
  key: string
  id: string
}

/** The claim, or the answer that the same request was given before. */
export async function claimRequest(
  db: Db,
  secrets: SecretKey,
  request: OnceRequest,
): Promise<{ claim: Claim } | { answer: string }> {
  const { scope, key } = request
  const requestHash = hashOf(request)
  const claim = { scope, key, id: newId() }
  if (await insertClaim(db, claim, requestHash)) return { claim }

  const held = await selectKey(db, claim)
  if (held && !held.requestHash.equals(requestHash)) {
    throw new Problem('IdempotencyMismatch', 'This Idempotency-Key was used with another request')
  }
  if (!held?.answer) {
    const message = 'A request with this Idempotency-Key is under way: try again in a moment'
    throw new Problem('ObjectConflict', message, { retryAfterSeconds: 1 })
  }
  return { answer: open(sealingKey(secrets), held.answer, `${scope} ${key}`) }
}

/** Stored in the transaction of the effect itself: either both are there or neither. */
export async function storeAnswer(tx: Tx, secrets: SecretKey, claim: Claim, answer: string): Promise<void> {
  const { scope, key } = claim
  const isOurs = await updateAnswer(tx, claim, seal(sealingKey(secrets), answer, `${scope} ${key}`))
  if (!isOurs) throw conflict('Another request with this Idempotency-Key took over')
}

/** Nothing came of the work: the next request with this key begins anew. An answer that was stored stays. */
export async function releaseClaim(db: Db, claim: Claim): Promise<void> {
  await deleteClaim(db, claim)
}

function hashOf({ method, url, body }: OnceRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, url, sorted(body)]), 'utf8')
    .digest()
}

/** The same whatever the order in which a client writes its fields. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => [name, sorted(each)])
}

const sealingKeys = new WeakMap<SecretKey, Buffer>()

function sealingKey(secrets: SecretKey): Buffer {
  const known = sealingKeys.get(secrets) ?? secrets.derive('idempotency')
  sealingKeys.set(secrets, known)
  return known
}
