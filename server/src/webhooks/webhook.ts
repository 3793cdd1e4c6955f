import type { WebhookForm } from '@keystall/contract/endpoints/webhooks'
import type { Tx } from '#platform/db/database'
import { checkWebhookUrl } from '#platform/outbound/address'
import type { Platform } from '#platform/platform'
import { conflict, invalid, notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { deleteWebhook, insertWebhook, lockWebhooks, updateWebhook } from './queries.ts'
import type { WebhookRow } from './tables.ts'

const webhooksMax = 50

type Means = Pick<Platform, 'config'>

export async function createWebhook(
  tx: Tx,
  means: Means,
  store: StoreRow,
  form: Required<WebhookForm>,
): Promise<WebhookRow> {
  refuseInternalAddress(means, form)
  const known = await lockWebhooks(tx, store)
  if (known.length >= webhooksMax) throw conflict(`A store has at most ${webhooksMax} webhooks`)
  return insertWebhook(tx, store, form)
}

/** Switching it on again forgets why the platform switched it off. */
export async function changeWebhook(
  tx: Tx,
  means: Means,
  { store, webhookId }: { store: StoreRow; webhookId: string },
  form: Required<WebhookForm>,
): Promise<WebhookRow> {
  refuseInternalAddress(means, form)
  const webhook = await updateWebhook(tx, store, webhookId, form)
  if (!webhook) throw notFound('webhook')
  return webhook
}

export async function removeWebhook(tx: Tx, store: StoreRow, webhookId: string): Promise<null> {
  if (!(await deleteWebhook(tx, store, webhookId))) throw notFound('webhook')
  return null
}

function refuseInternalAddress({ config }: Means, { url }: Pick<WebhookForm, 'url'>): void {
  const reason = checkWebhookUrl(url, {
    allowCidrs: config.webhookAllowCidrs,
    ownHosts: [config.apiUrl.host, config.dashUrl.host, config.storeDomain],
  })
  if (reason) throw invalid({ url: reason })
}
