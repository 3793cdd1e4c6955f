import type { Tx } from '#platform/db/database'
import { SendFailure } from '#platform/outbound/failure'
import type { Answer } from '#platform/outbound/sender'
import { webhookHeaders } from '#platform/outbound/signing'
import type { Platform } from '#platform/platform'
import { validWebhookSecrets } from '#platform/secrets/webhook-secret'
import { conflict, notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { findDeliveryOfAttempt, findTarget, type NewAttempt, wakeDelivery } from './attempt-queries.ts'
import { readDynamicAnswer } from './dynamic-answer.ts'
import { workLaneLater } from './lane.ts'
import { retryAfterSeconds } from './retry.ts'
import type { DeliveryRow } from './tables.ts'

const timeoutSeconds = 15
const answerBytesMax = 1024 * 1024
const shownBytesMax = 2048

/** What one try came to. */
export interface Outcome {
  readonly attempt: NewAttempt
  readonly retryAfterSeconds: number
  /** The receiver wants nothing more, ever. */
  readonly isGone: boolean
  /** What a dynamic product's webhook answered. */
  readonly items: readonly string[]
}

export interface Letter {
  readonly store: StoreRow
  readonly url: string
  readonly body: string
}

/** Undefined when nothing was sent because too much is under way to that host. */
export async function send(
  { sender, secrets }: Pick<Platform, 'sender' | 'secrets'>,
  delivery: DeliveryRow,
  { store, url, body }: Letter,
): Promise<Outcome | undefined> {
  const sentAt = new Date()
  const signed = { id: delivery.messageId, body, secrets: validWebhookSecrets(secrets, store, sentAt), sentAt }
  const headers = { 'content-type': 'application/json', ...webhookHeaders(signed) }
  const isAwaited = delivery.kind === 'dynamic'
  const answer = await sender.post(url, { headers, body, timeoutSeconds, answerBytesMax, isAwaited })
  if (!(answer instanceof SendFailure)) return outcomeOf(delivery, url, answer)
  if (answer.failed === 'busy') return undefined
  const { status = null, durationMs, message } = answer
  const attempt = { url, isSuccess: false, status, durationMilliseconds: durationMs, answer: null, failure: message }
  return { attempt, retryAfterSeconds: 0, isGone: false, items: [] }
}

function outcomeOf(delivery: DeliveryRow, url: string, answer: Answer): Outcome {
  const { status, durationMs } = answer
  const isTaken = status >= 200 && status < 300
  const read = isTaken && delivery.kind === 'dynamic' ? readDynamicAnswer(answer) : undefined
  const refused = read && 'refused' in read ? read.refused : undefined
  const failure = isTaken ? (refused ?? null) : `The receiver answered ${status}`
  return {
    attempt: {
      url,
      isSuccess: failure === null,
      status,
      durationMilliseconds: durationMs,
      // Items are shown with the order alone.
      answer: read && 'items' in read ? null : shown(answer.body),
      failure,
    },
    retryAfterSeconds: retryAfterSeconds(answer.headers['retry-after'], new Date()),
    isGone: status === 410,
    items: read && 'items' in read ? read.items : [],
  }
}

/** The beginning, as text; a character that is cut in two is left out. */
function shown(body: Buffer): string {
  return new TextDecoder().decode(body.subarray(0, shownBytesMax), { stream: true }).replaceAll('\u0000', '')
}

/** The same message once more, to where its receiver is now. */
export async function resendAttempt(tx: Tx, store: StoreRow, attemptId: string): Promise<null> {
  const delivery = await findDeliveryOfAttempt(tx, store, attemptId)
  if (!delivery) throw notFound('attempt')
  const key = { storeId: store.id, lane: delivery.lane }
  const target = await findTarget(tx, key)
  if (!target?.targetUrl) throw conflict('There is no address any more to send this to')
  await wakeDelivery(tx, delivery)
  await workLaneLater(tx, key, { isFailing: false })
  return null
}
