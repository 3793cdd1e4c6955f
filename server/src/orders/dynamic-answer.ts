import type { DynamicLine, DynamicOutcomes } from '#webhooks/dynamic'
import { sealAnswer } from './answer-secrets.ts'
import { type Change, lockOrder } from './change.ts'
import { deliverOrder } from './delivery.ts'
import { fallBackToItems } from './fallback.ts'
import { markFailed, updateAnswer } from './dynamic-queries.ts'

/** What becomes of the requests to sellers' webhooks. */
export const dynamicOutcomes: DynamicOutcomes = {
  answered: async (recording, line, items) => {
    await storeDynamicAnswer({ ...recording, actor: null }, line, items)
  },
  failed: (recording, line, reason) => failDynamicLine({ ...recording, actor: null }, line, reason),
}

/** The first answer wins, and the order is delivered as far as it can be. False when there was an answer already. */
export async function storeDynamicAnswer(
  change: Change,
  line: DynamicLine,
  items: readonly string[],
): Promise<boolean> {
  const { tx, platform } = change
  const order = await lockOrder(tx, line)
  if (order.status !== 'Delivering' && order.status !== 'Undeliverable') return false
  const isFirst = await updateAnswer(tx, line, sealAnswer(platform.secrets, line, items))
  if (isFirst) await deliverOrder(change, order)
  return isFirst
}

/** No more tries: the rest of the order is delivered as far as it can be, and the seller is told. */
export async function failDynamicLine(change: Change, line: DynamicLine, failure: string): Promise<void> {
  const order = await lockOrder(change.tx, line)
  if (order.status !== 'Delivering') return
  const isReplaced = await fallBackToItems(change, order, { ...line, failure })
  if (isReplaced || (await markFailed(change.tx, line, failure))) await deliverOrder(change, order)
}
