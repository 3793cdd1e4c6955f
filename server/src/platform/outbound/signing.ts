import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** The headers of Standard Webhooks. During a rotation both secrets sign, and a receiver may know either. */
export function webhookHeaders(call: {
  id: string
  body: string
  secrets: readonly string[]
  sentAt: Date
}): Record<string, string> {
  const signatures = call.secrets.map((secret) => new Webhook(secret).sign(call.id, call.sentAt, call.body))
  return {
    'webhook-id': call.id,
    'webhook-timestamp': Math.floor(call.sentAt.getTime() / 1000).toString(),
    'webhook-signature': signatures.join(' '),
  }
}
