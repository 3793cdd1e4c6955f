import type { TestedRequest, TestRequestForm } from '@keystall/contract/endpoints/webhooks'
import { newId } from '#platform/db/ids'
import { SendFailure } from '#platform/outbound/failure'
import { type Answer, headersOfEveryCall } from '#platform/outbound/sender'
import { webhookHeaders } from '#platform/outbound/signing'
import type { Platform } from '#platform/platform'
import { validWebhookSecrets } from '#platform/secrets/webhook-secret'
import type { StoreRow } from '#stores/tables'
import type { DynamicRequest } from './dynamic.ts'
import { readDynamicAnswer } from './dynamic-answer.ts'

const timeoutSeconds = 15
const answerBytesMax = 1024 * 1024
const shownBytesMax = 64 * 1024
const itemsShownMax = 100

/** Asks as a delivery would, once, and tells everything of it. The sender lets nobody into our own network. */
export async function sendTestRequest(
  { sender, secrets }: Pick<Platform, 'sender' | 'secrets'>,
  store: StoreRow,
  form: Required<TestRequestForm>,
): Promise<TestedRequest> {
  const sentAt = new Date()
  const url = form.webhookUrl
  const body = JSON.stringify({
    type: 'product.dynamic',
    timestamp: sentAt.toISOString(),
    data: requestOf(store, form),
  })
  const signed = { id: newId(), body, secrets: validWebhookSecrets(secrets, store, sentAt), sentAt }
  const headers = { 'content-type': 'application/json', ...webhookHeaders(signed) }
  const answer = await sender.post(url, { headers, body, timeoutSeconds, answerBytesMax })
  const sent = { url, headers: { ...headersOfEveryCall, ...headers }, body }
  return { ...sent, ...(answer instanceof SendFailure ? failed(answer) : answered(answer)) }
}

/** An order that nobody made: a receiver can tell by its metadata. */
function requestOf(store: StoreRow, form: Required<TestRequestForm>): DynamicRequest {
  return {
    storeId: store.id,
    orderId: newId(),
    productId: form.productId ?? newId(),
    productName: form.productName,
    quantity: form.quantity,
    customer: { emailAddress: 'buyer@example.com' },
    customValues: form.customValueKeys.map((key) => ({ key, value: 'Test' })),
    metadata: { test: 'true' },
  }
}

type Outcome = Omit<TestedRequest, 'url' | 'headers' | 'body'>

function failed({ message, status, durationMs }: SendFailure): Outcome {
  const nothing = { isSuccess: false, answerHeaders: {}, answer: null, items: [] }
  return { ...nothing, status: status ?? null, failure: message, durationMilliseconds: durationMs }
}

function answered(answer: Answer): Outcome {
  const { status, headers, durationMs } = answer
  const read = status < 300 ? readDynamicAnswer(answer) : { refused: `The receiver answered ${status}` }
  return {
    isSuccess: 'items' in read,
    status,
    answerHeaders: headers,
    answer: new TextDecoder().decode(answer.body.subarray(0, shownBytesMax), { stream: true }).replaceAll('\u0000', ''),
    items: 'items' in read ? read.items.slice(0, itemsShownMax) : [],
    failure: 'refused' in read ? read.refused : null,
    durationMilliseconds: durationMs,
  }
}
