/** What a webhook is sent: an event of the store, or `product.dynamic`, whose answer is what is delivered. */
export interface WebhookMessage {
  /** The same over all tries: whoever keeps it can tell a repetition. */
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
}

export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** Proves that Keystall sent this body, lately, and reads it. Throws `WebhookRefused` otherwise. */
export async function verifyWebhook({
  secret,
  headers,
  body,
  toleranceSeconds = 300,
}: {
  /** The store's `webhookSecret`, beginning with `whsec_`. */
  secret: string
  headers: HeaderSource
  /** The body as it came: not parsed, not printed again. */
  body: string | Uint8Array
  toleranceSeconds?: number
}): Promise<WebhookMessage> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const [id, sentAt, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (!id || !sentAt || !signatures) throw new WebhookRefused('The headers of a webhook are missing')
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(sentAt))
  if (!(ageSeconds <= toleranceSeconds)) throw new WebhookRefused('The webhook is too old, or from the future')
  if (!(await isSigned(secret, `${id}.${sentAt}.${text}`, signatures))) {
    throw new WebhookRefused('The signature is not of this secret and body')
  }
  return { id, ...JSON.parse(text) }
}

/** While a secret is changed there are two signatures; either will do. */
async function isSigned(secret: string, content: string, signatures: string): Promise<boolean> {
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  for (const each of signatures.split(' ')) {
    const [version, signature = ''] = each.split(',')
    if (version !== 'v1') continue
    // Web Crypto compares in even time.
    if (await crypto.subtle.verify('HMAC', key, bytesOf(signature), new TextEncoder().encode(content))) return true
  }
  return false
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : value?.[0]
}
