import { createWebhook } from '@keystall/contract/endpoints/webhooks'
import { sql } from 'kysely'
import { assert, test } from 'vitest'
import { recordEvent } from '#events/event'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { aSeller } from '#test/factories'
import { useServer } from '#test/harness'
import { publishEvents } from './publishing.ts'

const server = useServer({ hasJobs: false, env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32' } })

test('a transaction that began early and published late is sent after those before it', async () => {
  const { db } = server.platform
  const seller = await aSeller(server)
  const { data: webhook } = await seller.call(createWebhook, { body: { url: 'http://127.0.0.2:8099/hook' } })
  assert.isTrue(webhook.isEnabled)
  const store = { id: seller.storeId }
  const subjectId = newId()
  await transact(db, async (early) => {
    await sql`select now()`.execute(early)
    await transact(db, async (tx) => {
      await recordEvent(tx, store, { type: 'order.created', subjectId, data: {} })
      await publishEvents(tx, store.id)
    })
    await recordEvent(early, store, { type: 'order.paid', subjectId, data: {} })
    await publishEvents(early, store.id)
  })
  const sent = await db
    .selectFrom('webhookDeliveries')
    .where('storeId', '=', store.id)
    .orderBy('nextTryAt')
    .select('type')
    .execute()
  assert.deepEqual(
    sent.map(({ type }) => type),
    ['order.created', 'order.paid'],
  )
})
