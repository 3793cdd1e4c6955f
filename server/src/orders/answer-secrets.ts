import { open, seal } from '#platform/secrets/seal'
import type { SecretKey } from '#platform/secrets/secret-key'
import type { OrderLineRow } from './tables.ts'

type Line = Pick<OrderLineRow, 'storeId' | 'orderId' | 'productId'>

/** What a seller's webhook answered opens only with the line it was given for. */
export function sealAnswer(secrets: SecretKey, line: Line, items: readonly string[]): Buffer {
  return seal(answerKey(secrets), JSON.stringify(items), contextOf(line))
}

export function openAnswer(secrets: SecretKey, line: Line & { answer: Buffer }): string[] {
  const items: unknown = JSON.parse(open(answerKey(secrets), line.answer, contextOf(line)))
  return Array.isArray(items) ? items.map(String) : []
}

function contextOf({ storeId, orderId, productId }: Line): string {
  return `${storeId}/${orderId}/${productId}`
}

const answerKeys = new WeakMap<SecretKey, Buffer>()

function answerKey(secrets: SecretKey): Buffer {
  const known = answerKeys.get(secrets) ?? secrets.derive('dynamic-items')
  answerKeys.set(secrets, known)
  return known
}
