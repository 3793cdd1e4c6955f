import { createWebhook } from '@keystall/contract/endpoints/webhooks'
import { sql } from 'kysely'
import { assert, test } from 'vitest'
import { recordEvent } from '#events/event'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { aSeller } from '#test/factories'
import { useServer } from '#test/harness'
import { eventually } from '#test/receiver'
import { publishEvents, publishingEvents } from './publishing.ts'

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

test('a store whose events cannot be published is left alone for a while, and holds up no other', async () => {
  const { db } = server.platform
  const watch = publishingEvents()
  const [failing, other] = [{ id: (await aSeller(server)).storeId }, { id: (await aSeller(server)).storeId }]
  const record = ({ id }: { id: string }) =>
    transact(db, (tx) => recordEvent(tx, { id }, { type: 'order.created', subjectId: newId(), data: {} }))
  const numbersOf = ({ id }: { id: string }) =>
    db.selectFrom('events').where('storeId', '=', id).orderBy('id').select('number').execute()
  const isWaiting = async () =>
    (await sql<{ isWaiting: boolean }>`select ${watch.isWaiting()} as "isWaiting"`.execute(db)).rows[0]?.isWaiting

  const refuse = (words: string) => sql.raw(`alter table event_numbers ${words}`).execute(db)
  await refuse(`add constraint refused check (store_id <> '${failing.id}') not valid`)
  for (const store of [failing, other]) await record(store)
  await watch.handle(db, server.platform)
  await refuse('drop constraint refused')
  assert.deepEqual(await numbersOf(other), [{ number: 1 }])
  assert.deepEqual(await numbersOf(failing), [{ number: null }])
  assert.isFalse(await isWaiting())

  await record(other)
  assert.isTrue(await isWaiting())
  await watch.handle(db, server.platform)
  assert.deepEqual(await numbersOf(other), [{ number: 1 }, { number: 2 }])
  await eventually(async () => assert.isTrue(await isWaiting()))
  await watch.handle(db, server.platform)
  assert.deepEqual(await numbersOf(failing), [{ number: 1 }])
})
