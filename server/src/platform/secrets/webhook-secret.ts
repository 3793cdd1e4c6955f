import { randomBytes } from 'node:crypto'
import type { StoreRow } from '#stores/tables'
import { open, seal } from './seal.ts'
import type { SecretKey } from './secret-key.ts'

const secretBytes = 32
const purpose = 'webhook-secret'

/** A secret as Standard Webhooks writes it. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`
}

export function sealWebhookSecret(secrets: SecretKey, storeId: string, secret: string): Buffer {
  return seal(secrets.derive(purpose), secret, storeId)
}

export function openWebhookSecret(secrets: SecretKey, store: Pick<StoreRow, 'id' | 'webhookSecret'>): string {
  return open(secrets.derive(purpose), store.webhookSecret, store.id)
}

/** Those that events are signed with now: the present one first, then the former one until its time is over. */
export function validWebhookSecrets(
  secrets: SecretKey,
  store: Pick<StoreRow, 'id' | 'webhookSecret' | 'previousWebhookSecret' | 'previousWebhookSecretUntil'>,
  now: Date,
): string[] {
  const present = openWebhookSecret(secrets, store)
  const { previousWebhookSecret, previousWebhookSecretUntil } = store
  if (!previousWebhookSecret || !previousWebhookSecretUntil || previousWebhookSecretUntil <= now) return [present]
  return [present, openWebhookSecret(secrets, { id: store.id, webhookSecret: previousWebhookSecret })]
}
