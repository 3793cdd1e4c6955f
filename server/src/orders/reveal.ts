import type { Visit } from '#platform/http/caller'
import { notFound } from '#problem'
import { type Change, lockOrder, noteOrder } from './change.ts'
import { insertReveal, selectLines } from './queries.ts'
import type { OrderRow } from './tables.ts'

/** An order's page is uncovered a few times, not a thousand. */
const revealsMax = 100
const userAgentMax = 1024

/** The buyer uncovers what was delivered: the seller may know when, from where and with what. */
export async function revealOrder(
  change: Change,
  { storeId, id }: OrderRow,
  { productId, visit }: { productId: string | null; visit: Visit },
): Promise<void> {
  const order = await lockOrder(change.tx, { storeId, orderId: id })
  const lines = await selectLines(change.tx, order)
  const isInOrder = productId === null || lines.some((line) => line.productId === productId)
  if (!isInOrder) throw notFound('product')
  if (!lines.some((line) => line.deliveredAt !== null)) return
  const userAgent = visit.userAgent.slice(0, userAgentMax)
  const isNew = await insertReveal(change.tx, order, { productId, ipAddress: visit.ip, userAgent, max: revealsMax })
  if (isNew) await noteOrder(change, order, { kind: 'revealed', reason: `${visit.ip} · ${userAgent}` })
}
