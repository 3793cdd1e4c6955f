import * as contract from '@keystall/contract/endpoints/webhooks'
import { isEventType } from '@keystall/contract/shapes/webhook'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { sendTestRequest } from './test-request.ts'
import { resendAttempt } from './attempt.ts'
import { selectAttempts } from './attempt-queries.ts'
import { selectWebhooks } from './queries.ts'
import type { WebhookRow } from './tables.ts'
import { changeWebhook, createWebhook, removeWebhook } from './webhook.ts'

export const webhookRoutes: Implementation[] = [
  implement(contract.listWebhooks, async ({ db, store }) => ok((await selectWebhooks(db, store)).map(shown))),

  implement(contract.createWebhook, ({ platform, store, body, once }) =>
    once(async (tx) => ok(shown(await createWebhook(tx, platform, store, body)))),
  ),

  implement(contract.updateWebhook, async ({ db, platform, store, path, body }) =>
    ok(shown(await transact(db, (tx) => changeWebhook(tx, platform, { store, webhookId: path.webhookId }, body)))),
  ),

  implement(contract.deleteWebhook, async ({ db, store, path }) =>
    ok(await transact(db, (tx) => removeWebhook(tx, store, path.webhookId))),
  ),

  implement(contract.listWebhookAttempts, async ({ db, store, path, query }) =>
    paged(await selectAttempts(db, store, { page: path.page, count: query.count })),
  ),

  implement(contract.resendWebhookAttempt, async ({ db, store, path }) =>
    ok(await transact(db, (tx) => resendAttempt(tx, store, path.attemptId))),
  ),

  implement(contract.sendTestRequest, async ({ platform, store, visit, body }) => {
    // Slow enough that nobody is harassed through us.
    platform.limits.takeAttempt(visit.ip)
    return ok(await sendTestRequest(platform, store, body))
  }),
]

function shown(webhook: WebhookRow) {
  return { ...webhook, events: webhook.events.filter(isEventType) }
}
