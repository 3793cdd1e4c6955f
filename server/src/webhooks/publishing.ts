import { eventsAtOnceMax, numberEvents } from '#events/event'
import type { EventRow } from '#events/tables'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { chatMessage } from './chat-message.ts'
import { insertDeliveries, type NewDelivery } from './delivery-queries.ts'
import { openLanes } from './lane.ts'
import { type Receivers, selectReceivers } from './queries.ts'

/** All of the store, some hundred in a transaction. */
export async function publishAllEvents(db: Db, storeId: string): Promise<void> {
  let areMore = true
  while (areMore) areMore = (await transact(db, (tx) => publishEvents(tx, storeId))) === eventsAtOnceMax
}

/** Numbers the store's new events and promises each to whoever is to be told. Answers how many there were. */
export async function publishEvents(tx: Tx, storeId: string): Promise<number> {
  const events = await numberEvents(tx, storeId)
  if (events.length > 0) await promise(tx, storeId, events)
  return events.length
}

async function promise(tx: Tx, storeId: string, events: readonly EventRow[]): Promise<void> {
  const productIds = [...new Set(events.filter(isForProducts).flatMap((event) => event.productIds))]
  const receivers = await selectReceivers(tx, storeId, productIds)
  const deliveries = events.flatMap((event) => deliveriesOf(event, receivers))
  if (deliveries.length === 0) return
  await insertDeliveries(tx, storeId, deliveries)
  await openLanes(tx, storeId, [...new Set(deliveries.map(({ lane }) => lane))])
}

function deliveriesOf(event: EventRow, { store, webhooks, products }: Receivers): NewDelivery[] {
  if (!store.isOpen) return []
  const common = { type: event.type, messageId: event.id, subjectId: event.subjectId ?? event.id }
  const listening = webhooks.filter(({ events }) => events.length === 0 || events.includes(event.type))
  const told = isForProducts(event) ? productsToTell(event, products) : []
  const content = store.hasChat ? chatMessage({ type: event.type, data: dataOf(event) }, store) : undefined
  return [
    ...listening.map(({ id }) => ({
      ...common,
      id: newId(),
      kind: 'event' as const,
      lane: `webhook/${id}`,
      body: null,
    })),
    ...told.map((id) => ({ ...common, id: newId(), kind: 'event' as const, lane: `product/${id}`, body: null })),
    ...(content === undefined
      ? []
      : [{ ...common, id: newId(), kind: 'chat' as const, lane: 'chat', body: JSON.stringify({ content }) }]),
  ]
}

function isForProducts({ type }: Pick<EventRow, 'type'>): boolean {
  return type === 'order.delivered'
}

/** Products with one address tell it once. */
function productsToTell(event: EventRow, products: Receivers['products']): string[] {
  const byUrl = new Map<string, string>()
  for (const { id, webhookUrl } of products) {
    if (event.productIds.includes(id) && !byUrl.has(webhookUrl)) byUrl.set(webhookUrl, id)
  }
  return [...byUrl.values()]
}

function dataOf(event: EventRow): unknown {
  return Object(JSON.parse(event.body))['data']
}
