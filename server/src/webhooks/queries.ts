import { type RawBuilder, sql } from 'kysely'
import type { WebhookForm } from '@keystall/contract/endpoints/webhooks'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import type { LaneKey } from './delivery-queries.ts'
import type { WebhookRow } from './tables.ts'

export function selectWebhooks(db: Db, store: StoreRow): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').where('storeId', '=', store.id).selectAll().orderBy('id').execute()
}

/** Counting and adding take turns on the store's row. */
export async function lockWebhooks(tx: Tx, store: StoreRow): Promise<WebhookRow[]> {
  await tx.selectFrom('stores').where('id', '=', store.id).select('id').forUpdate().execute()
  return selectWebhooks(tx, store)
}

export function insertWebhook(tx: Tx, store: StoreRow, form: Required<WebhookForm>): Promise<WebhookRow> {
  const { url, events, description, isEnabled } = form
  return tx
    .insertInto('webhooks')
    .values({ storeId: store.id, id: newId(), url, events, description, isEnabled })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Undefined when the store has no such webhook. */
export function updateWebhook(
  tx: Tx,
  store: StoreRow,
  webhookId: string,
  form: Required<WebhookForm>,
): Promise<WebhookRow | undefined> {
  const { url, events, description, isEnabled } = form
  return tx
    .updateTable('webhooks')
    .set({ url, events, description, isEnabled, ...(isEnabled ? { disabledReason: null } : {}) })
    .where('storeId', '=', store.id)
    .where('id', '=', webhookId)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteWebhook(tx: Tx, store: StoreRow, webhookId: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('webhooks')
    .where('storeId', '=', store.id)
    .where('id', '=', webhookId)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** By the platform, when the receiver said that it is gone. */
export async function disableWebhook(tx: Tx, { storeId, lane }: LaneKey, reason: string): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ isEnabled: false, disabledReason: reason })
    .where('storeId', '=', storeId)
    .where('id', '=', lane.slice('webhook/'.length))
    .execute()
}

export interface Receivers {
  store: { name: string; isOpen: boolean; hasChat: boolean }
  webhooks: { id: string; events: string[] }[]
  products: { id: string; webhookUrl: string }[]
}

export async function selectReceivers(tx: Tx, storeId: string, productIds: string[]): Promise<Receivers> {
  const store = await tx
    .selectFrom('stores')
    .innerJoin('users', 'users.id', 'stores.ownerId')
    .where('stores.id', '=', storeId)
    .select((eb) => [
      'stores.name',
      eb.and([eb('stores.closedAt', 'is', null), eb('users.disabledAt', 'is', null)]).as('isOpen'),
      eb
        .and([eb('users.chatWebhookUrl', 'is not', null), isThere(storeId, sql`'chat'`, sql`users.chat_webhook_url`)])
        .as('hasChat'),
    ])
    .executeTakeFirst()
  const webhooks = await tx
    .selectFrom('webhooks')
    .where('storeId', '=', storeId)
    .where('isEnabled', '=', true)
    .select(['id', 'events'])
    .orderBy('id')
    .execute()
  const products =
    productIds.length === 0
      ? []
      : await tx
          .selectFrom('products')
          .where('storeId', '=', storeId)
          .where('id', '=', sql<string>`any(${productIds}::uuid[])`)
          .where('webhookUrl', 'is not', null)
          .where(isThere(storeId, sql`'product/' || products.id`, sql`webhook_url`))
          .select(['id', sql<string>`webhook_url`.as('webhookUrl')])
          .orderBy('id')
          .execute()
  return {
    store: store
      ? { name: store.name, isOpen: Boolean(store.isOpen), hasChat: Boolean(store.hasChat) }
      : { name: '', isOpen: false, hasChat: false },
    webhooks,
    products,
  }
}

/** Unless this very address answered that it is gone. */
function isThere(storeId: string, lane: RawBuilder<unknown>, url: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`not exists (
    select from webhook_lanes lane where lane.store_id = ${storeId} and lane.name = ${lane} and lane.gone_url = ${url}
  )`
}
