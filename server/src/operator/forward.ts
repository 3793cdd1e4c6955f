import { webhookHeaders } from '#platform/outbound/signing'
import { validWebhookSecrets } from '#platform/secrets/webhook-secret'
import type { Running } from '#start'
import type { StoreRow } from '#stores/tables'

const timeoutMs = 15_000

/** To a program on the operator's own machine, signed as a webhook is. */
export async function forward(
  { secrets }: Running['platform'],
  store: StoreRow,
  url: string,
  { id, body }: { id: string; body: string },
): Promise<{ hasArrived: boolean; words: string }> {
  const sentAt = new Date()
  const signed = webhookHeaders({ id, body, secrets: validWebhookSecrets(secrets, store, sentAt), sentAt })
  const headers = { 'content-type': 'application/json', ...signed }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    await answer.body?.cancel()
    return { hasArrived: true, words: String(answer.status) }
  } catch (error) {
    return { hasArrived: false, words: `no answer (${causeOf(error)}): trying again` }
  }
}

function causeOf(error: unknown): string {
  const { cause, message } = Object(error)
  return String(Object(cause)['code'] ?? message)
}
