import { eventsAtOnceMax, numberEvents, storesToPublish } from '#events/event'
import { hasUnpublished } from '#events/parts'
import type { EventRow } from '#events/tables'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import type { Watch } from '#platform/jobs/job'
import { announce } from '#platform/jobs/wake'
import type { Platform } from '#platform/platform'
import { chatMessage } from './chat-message.ts'
import { insertDeliveries, type NewDelivery } from './delivery-queries.ts'
import { openLanes } from './lane.ts'
import { type Receivers, selectReceivers } from './queries.ts'

/** One sale makes three events, and many sales come at once: each round trip is shared by all that wait. */
const pauseMs = 40
/** So that a store which has to wait for its turn does not keep all others waiting. */
const storesAtOnce = 4
const setBackMs = [1_000, 5_000, 15_000, 30_000]
const setBackMsMax = 60_000
/** A timer goes by an older clock than who looks: told too early, nobody would look again for seconds. */
const clockMs = 100

/** Gives events their numbers and hands them to the receivers. A store that fails is left alone for a while. */
export function publishingEvents(): Watch {
  const failing = new Map<string, { failures: number; until: number }>()
  const except = () => [...failing].filter(([, { until }]) => until > performance.now()).map(([storeId]) => storeId)

  async function publish(db: Db, { log }: Platform, storeId: string): Promise<void> {
    try {
      await publishAllEvents(db, storeId)
      failing.delete(storeId)
    } catch (error) {
      const { failures } = failing.get(storeId) ?? { failures: 0 }
      const waitMs = setBackMs[failures] ?? setBackMsMax
      failing.set(storeId, { failures: failures + 1, until: performance.now() + waitMs })
      setTimeout(announce, waitMs + clockMs).unref()
      log.warn({ err: error, storeId }, 'events of a store wait to be published')
    }
  }

  return {
    name: 'publish-events',
    pauseMs,
    isWaiting: () => hasUnpublished({ except: except() }),
    handle: async (db, platform) => {
      const left = await storesToPublish(db, { except: except() })
      const publishLeft = async () => {
        for (let storeId = left.shift(); storeId !== undefined; storeId = left.shift())
          await publish(db, platform, storeId)
      }
      await Promise.all(Array.from({ length: storesAtOnce }, publishLeft))
    },
  }
}

/** All of the store, some hundred in a transaction. */
async function publishAllEvents(db: Db, storeId: string): Promise<void> {
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
