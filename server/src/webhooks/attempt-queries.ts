import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { type Page, type Paging, paginate } from '#platform/db/paging'
import type { StoreRow } from '#stores/tables'
import type { LaneKey } from './delivery-queries.ts'
import type { AttemptRow, DeliveryRow } from './tables.ts'

export type NewAttempt = Omit<AttemptRow, 'storeId' | 'id' | 'dateCreated' | 'deliveryId' | 'attempt'>

export async function insertAttempt(tx: Tx, delivery: DeliveryRow, attempt: NewAttempt): Promise<void> {
  await tx
    .insertInto('webhookAttempts')
    .values({
      ...attempt,
      storeId: delivery.storeId,
      id: newId(),
      deliveryId: delivery.id,
      attempt: delivery.tries + 1,
    })
    .execute()
}

/** Newest first. */
export function selectAttempts(db: Db, store: StoreRow, paging: Paging): Promise<Page<ShownAttempt>> {
  return paginate(
    paging,
    async () => {
      const { total } = await db
        .selectFrom('webhookAttempts')
        .where('storeId', '=', store.id)
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return total
    },
    ({ limit, offset }) => selectAttemptWindow(db, store, { limit, offset }),
  )
}

export interface ShownAttempt extends AttemptRow {
  eventId: string
  eventType: string
  nextAttempt: Date | null
}

async function selectAttemptWindow(db: Db, store: StoreRow, { limit, offset }: { limit: number; offset: number }) {
  const { rows } = await sql<ShownAttempt>`
    select attempt.*, delivery.message_id as event_id, delivery.type as event_type,
      case when delivery.status = 'waiting' and attempt.attempt = delivery.tries then delivery.next_try_at end
        as next_attempt
    from (
      select id from webhook_attempts where store_id = ${store.id} order by id desc limit ${limit} offset ${offset}
    ) page
    join webhook_attempts attempt on attempt.store_id = ${store.id} and attempt.id = page.id
    join webhook_deliveries delivery on delivery.store_id = ${store.id} and delivery.id = attempt.delivery_id
    order by attempt.id desc
  `.execute(db)
  return rows
}

export function findDeliveryOfAttempt(db: Db, store: StoreRow, attemptId: string): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('webhookAttempts')
    .innerJoin('webhookDeliveries', (join) =>
      join
        .onRef('webhookDeliveries.storeId', '=', 'webhookAttempts.storeId')
        .onRef('webhookDeliveries.id', '=', 'webhookAttempts.deliveryId'),
    )
    .where('webhookAttempts.storeId', '=', store.id)
    .where('webhookAttempts.id', '=', attemptId)
    .selectAll('webhookDeliveries')
    .executeTakeFirst()
}

/** One more try, at once, whatever became of it. */
export async function wakeDelivery(tx: Tx, delivery: DeliveryRow): Promise<void> {
  await tx
    .updateTable('webhookDeliveries')
    .set({ status: 'waiting', nextTryAt: sql<Date>`now()` })
    .where('storeId', '=', delivery.storeId)
    .where('id', '=', delivery.id)
    .execute()
}

export async function bodyOf(db: Db, delivery: DeliveryRow): Promise<string | undefined> {
  if (delivery.body !== null) return delivery.body
  const event = await db
    .selectFrom('events')
    .where('storeId', '=', delivery.storeId)
    .where('id', '=', delivery.messageId)
    .select('body')
    .executeTakeFirst()
  return event?.body
}

export type Target = StoreRow & { targetUrl: string | null }

/** Where a lane leads now; the address is null when it leads nowhere any more. */
export async function findTarget(db: Db, { storeId, lane }: LaneKey): Promise<Target | undefined> {
  const [kind, id = null] = lane.split('/')
  const { rows } = await sql<Target>`
    select stores.*, case
      when stores.closed_at is not null or users.disabled_at is not null then null
      when ${kind} = 'chat' then users.chat_webhook_url
      when ${kind} = 'webhook' then (
        select url from webhooks where store_id = ${storeId} and id = ${id}::uuid and is_enabled
      )
      when ${kind} in ('product', 'dynamic') then (
        select webhook_url from products where store_id = ${storeId} and id = ${id}::uuid and deleted_at is null
      )
    end as target_url
    from stores join users on users.id = stores.owner_id
    where stores.id = ${storeId}
  `.execute(db)
  return rows[0]
}

/** By store, because every store's rows lie together; ids begin with their moment. */
export async function deleteOldAttempts(
  tx: Tx,
  storeIds: readonly string[],
  { beforeId, keptDays }: { beforeId: string; keptDays: number },
): Promise<void> {
  await sql`
    delete from webhook_attempts where store_id = any(${[...storeIds]}::uuid[]) and id < ${beforeId}
  `.execute(tx)
  await sql`
    delete from webhook_deliveries
    where store_id = any(${[...storeIds]}::uuid[]) and id < ${beforeId} and status <> 'waiting'
      and next_try_at < now() - make_interval(days => ${keptDays})
  `.execute(tx)
}

export async function selectStoreIds(db: Db, { after, limit }: { after: string; limit: number }): Promise<string[]> {
  const stores = await db.selectFrom('stores').where('id', '>', after).select('id').orderBy('id').limit(limit).execute()
  return stores.map(({ id }) => id)
}
