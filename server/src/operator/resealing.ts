import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { openAnswer, sealAnswer } from '#orders/answer-secrets'
import { openSettings, sealSettings } from '#payments/account'
import { type SecretKey, secretKeyOf } from '#platform/secrets/secret-key'
import { openWebhookSecret, sealWebhookSecret } from '#platform/secrets/webhook-secret'
import { itemSecrets, openItem } from '#products/item-secrets'

export type Row = Record<string, unknown>

/** Every column of a store's tables that the secret key seals; each is sealed for its own row. */
const sealed: Record<string, (row: Row, from: SecretKey, to: SecretKey) => Row> = {
  stores: (row, from, to) => {
    const id = String(row['id'])
    const anew = (value: unknown) =>
      value === null
        ? null
        : hexOf(sealWebhookSecret(to, id, openWebhookSecret(from, { id, webhookSecret: bytesOf(value) })))
    return {
      webhook_secret: anew(row['webhook_secret']),
      previous_webhook_secret: anew(row['previous_webhook_secret']),
    }
  },
  items: (row, from, to) => {
    const owner = { storeId: String(row['store_id']), productId: String(row['product_id']) }
    const text = openItem({ secrets: from }, { ...owner, sealed: bytesOf(row['sealed']) })
    const secrets = itemSecrets(to, owner)
    return { sealed: hexOf(Buffer.concat(secrets.sealed(text))), value_hash: secrets.hashOf(text) }
  },
  order_lines: (row, from, to) => {
    if (row['answer'] === null) return {}
    const line = {
      storeId: String(row['store_id']),
      orderId: String(row['order_id']),
      productId: String(row['product_id']),
    }
    return { answer: hexOf(sealAnswer(to, line, openAnswer(from, { ...line, answer: bytesOf(row['answer']) }))) }
  },
  payment_settings: (row, from, to) => {
    const settings = { storeId: String(row['store_id']), method: String(row['method']) }
    const read = openSettings(from, { ...settings, sealed: bytesOf(row['sealed']) })
    return { sealed: hexOf(sealSettings(to, settings, read)) }
  },
}

/** Opens with one key what the row holds sealed, and seals it with the other; the same row when it holds nothing. */
export function reseal(table: string, row: Row, from: SecretKey, to: SecretKey): Row {
  const anew = from === to ? undefined : sealed[table]?.(row, from, to)
  return anew ? { ...row, ...anew } : row
}

/** A key that whoever knows the passphrase can make again; guessing one takes a tenth of a second. */
export async function passphraseKey(passphrase: string, salt: string): Promise<SecretKey> {
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
  const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 }
  return secretKeyOf(await derive(passphrase.normalize('NFC'), Buffer.from(salt, 'hex'), 32, cost))
}

/** As PostgreSQL writes bytes into JSON. */
function hexOf(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(String(value).slice(2), 'hex')
}
