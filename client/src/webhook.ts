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
  /** The store's `webhookSecret`, beginning with `whsec_`; several, while you change from one to the other. */
  secret: string | readonly string[]
  headers: HeaderSource
  /** The body as it came: not parsed, not printed again. */
  body: string | Uint8Array
  toleranceSeconds?: number
}): Promise<WebhookMessage> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const [id, sentAt, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (!id || !sentAt || !signatures) throw new WebhookRefused('The headers of a webhook are missing')
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(sentAt))
  if (!(ageSeconds <= toleranceSeconds)) throw new WebhookRefused('The webhook is too old, or from the future')
  const content = joined(new TextEncoder().encode(`${id}.${sentAt}.`), bytes)
  for (const each of [secret].flat()) {
    if (await isSigned(each, content, signatures)) return { ...readBody(bytes), id }
  }
  throw new WebhookRefused('The signature is not of this secret and body')
}

function readBody(bytes: Uint8Array): Omit<WebhookMessage, 'id'> {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    throw new WebhookRefused('The body is not JSON', { cause })
  }
}

/** While a secret is changed there are two signatures; either will do. */
async function isSigned(secret: string, content: Uint8Array<ArrayBuffer>, signatures: string): Promise<boolean> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  // An empty secret would be anybody's.
  if (bytes.length === 0) throw new WebhookRefused('The secret is missing, or not as the store shows it')
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  for (const each of signatures.split(' ')) {
    const [version, signature = ''] = each.split(',')
    if (version !== 'v1') continue
    // Web Crypto compares in even time.
    if (await crypto.subtle.verify('HMAC', key, bytesOf(signature), content)) return true
  }
  return false
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
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
