import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { assert, test } from 'vitest'
import { openDatabase } from '#platform/db/database'
import { createListener } from '#platform/http/server'
import { useServer } from './harness.ts'

// What must be right at boot, whatever else is: each was chosen because the usual value lost data or hung.

const server = useServer({ hasJobs: false })

test('the listener closes who is slow, before descriptors run out', () => {
  const listener = createListener(() => {})
  const limit = Number(/Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
  assert.deepInclude(listener, { headersTimeout: 10_000, requestTimeout: 0 })
  assert.equal(listener.keepAliveTimeout + listener.keepAliveTimeoutBuffer, 60_000)
  // A second would do; all who were silent since then would be found at once.
  assert.equal(Object(listener)['connectionsCheckingInterval'], 100)
  assert.equal(listener.maxConnections, Math.max(100, limit - 1000))
})

test('the database gives up in time, on its side and on ours', async () => {
  const { db, close } = openDatabase({ url: server.database.url })
  const { rows } = await sql<Record<string, string>>`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`.execute(db)
  await close()
  assert.deepEqual(rows[0], { statement: '3s', lock: '2s', idle: '5s' })
})

test('the framework takes no body of its own, and HEAD only where it says so', () => {
  const { api, dash, store } = server.app
  for (const app of [api, dash, store]) {
    const options: Record<string, unknown> = Object(app.initialConfig)
    assert.deepInclude(options, { bodyLimit: 2 ** 20, exposeHeadRoutes: false })
    assert.deepInclude(Object(options['routerOptions']), { maxParamLength: 1024, caseSensitive: true })
    assert.isFalse(app.hasContentTypeParser('text/plain'))
    assert.isTrue(app.hasContentTypeParser('application/json'))
  }
})

test('every number of a table has a lower and an upper end, and NaN has no place', async () => {
  const { rows } = await sql<{ place: string }>`
    select table_name || '.' || column_name as place from information_schema.columns
    where table_schema = 'public' and data_type in ('real', 'double precision')
      and not exists (
        select from pg_constraint where contype = 'c' and conrelid = table_name::regclass
          and pg_get_constraintdef(oid) ~ (column_name || ' <=? ')
      )`.execute(server.platform.db)
  assert.deepEqual(rows, [])
})
