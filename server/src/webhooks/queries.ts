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

/** A store that is gone tells nobody. */
export async function selectReceivers(tx: Tx, storeId: string, productIds: string[]): Promise<Receivers> {
  const { rows } = await sql<Receivers>`
    select
      json_build_object(
        'name', stores.name,
        'isOpen', stores.closed_at is null and users.disabled_at is null,
        'hasChat', users.chat_webhook_url is not null and ${isThere(storeId, sql`'chat'`, sql`users.chat_webhook_url`)}
      ) as store,
      array(
        select json_build_object('id', id, 'events', events) from webhooks
        where store_id = ${storeId} and is_enabled order by id
      ) as webhooks,
      array(
        select json_build_object('id', id, 'webhookUrl', webhook_url) from products
        where store_id = ${storeId} and id = any(${productIds}::uuid[]) and webhook_url is not null
          and ${isThere(storeId, sql`'product/' || products.id`, sql`webhook_url`)}
        order by id
      ) as products
    from stores join users on users.id = stores.owner_id
    where stores.id = ${storeId}
  `.execute(tx)
  return rows[0] ?? { store: { name: '', isOpen: false, hasChat: false }, webhooks: [], products: [] }
}

/** Unless this very address answered that it is gone. */
function isThere(storeId: string, lane: RawBuilder<unknown>, url: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`not exists (
    select from webhook_lanes lane where lane.store_id = ${storeId} and lane.name = ${lane} and lane.gone_url = ${url}
  )`
}
