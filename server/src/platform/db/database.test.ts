import assert from 'node:assert/strict'
import { createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { aDatabase } from '#test/database'
import { isUnavailable, openDatabase } from './database.ts'
import { preparedMax } from './prepared.ts'
import { checkDurability } from './durability.ts'
import { isoTimestamp } from './json.ts'
import { sqlState } from './sql-state.ts'

const database = await aDatabase()
const { db } = database
afterAll(() => database.close())

describe('the pool', () => {
  test('survives the end of its connections, idle and in use', async () => {
    const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    const inUse = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await cut.execute(db)
      const isThere = async () =>
        (await sql`select from pg_stat_activity where pid = ${rows[0]?.pid}`.execute(db)).rows.length > 0
      while (await isThere()) await sleep(10)
      // Nothing is asked while the end arrives: without a listener of its own it would end the process.
      await sleep(50)
      await sql`select 1`.execute(tx)
    })
    const failure = await inUse.catch((error: unknown) => error)

    assert.ok(isUnavailable(failure))
    assert.ok(await database.ping())
    for (let i = 0; i < 20; i += 1) await sql`select 1`.execute(db)
  })

  test('gives up a connection that has gone silent in time, and heals with the network', async () => {
    const proxy = await aProxy(database.url)
    const behind = openDatabase({ url: proxy.url, timeouts: { queryMs: 1000, connectMs: 2000 } })
    await sql`select 1`.execute(behind.db)

    let began = 0
    const failure = await behind.db
      .transaction()
      .execute(async (tx) => {
        await sql`select 1`.execute(tx)
        proxy.isCut = true
        began = performance.now()
        await sql`select 1`.execute(tx)
      })
      .catch((error: unknown) => error)
    assert.ok(isUnavailable(failure))
    assert.ok(performance.now() - began < 1900, 'the rollback did not wait again')
    assert.equal(await behind.ping(), false)

    proxy.isCut = false
    assert.equal(await behind.ping(), true)
    await behind.close()
    await proxy.close()
  })

  test('lets no statement, lock or abandoned transaction last', async () => {
    const { rows } = await sql<{ name: string; setting: string }>`select name, setting from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`.execute(db)
    assert.deepEqual(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), {
      statement_timeout: '3000',
      lock_timeout: '2000',
      idle_in_transaction_session_timeout: '5000',
    })
  })

  test('a refused statement leaves the connection in the pool', async () => {
    const pidOf = () =>
      sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db).then(({ rows }) => rows[0]?.pid)
    const before = await pidOf()
    const failure = await sql`select 1 / 0`.execute(db).catch((error: unknown) => error)
    assert.ok(!isUnavailable(failure))
    assert.equal(await pidOf(), before)
  })

  test('says that nobody answers', async () => {
    const nowhere = openDatabase({ url: 'postgres://keystall@127.0.0.1:1/keystall' })
    const failure = await sql`select 1`.execute(nowhere.db).catch((error: unknown) => error)
    assert.ok(isUnavailable(failure))
    assert.equal(await nowhere.ping(), false)
    await nowhere.close()
  })
})

describe('statements', () => {
  test('are prepared once under a name', async () => {
    await db.connection().execute(async (one) => {
      for (const value of [1, 2, 3]) await sql`select ${value}::int as prepared_once`.execute(one)
      const { rows } = await sql<{ uses: number }>`select generic_plans + custom_plans as uses
        from pg_prepared_statements where statement like 'select $1::int as prepared_once'`.execute(one)
      assert.deepEqual(rows, [{ uses: 3 }])
    })
  })

  test('of ever new texts fill no connection without end, and what was prepared before is found again', async () => {
    const one = openDatabase({ url: database.url, poolSize: 1 })
    const count = async () => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from pg_prepared_statements`.execute(
        one.db,
      )
      return rows[0]?.count ?? 0
    }
    const counts = []
    for (let number = 0; number < 3 * preparedMax; number += 1) {
      const { rows } = await sql`select ${sql.lit(number)} as number`.execute(one.db)
      assert.deepEqual(rows, [{ number }])
      if (number % 50 === 0) counts.push(await count())
    }
    assert.ok(Math.max(...counts) > preparedMax / 2 && Math.max(...counts) <= preparedMax + 1, String(counts))
    for (const number of [0, 3 * preparedMax - 1]) {
      const { rows } = await sql`select ${sql.lit(number)} as number`.execute(one.db)
      assert.deepEqual(rows, [{ number }])
    }
    await one.close()
  })

  test('go on after a migration has changed what they return', async () => {
    await sql`create table widening (id int); insert into widening values (1)`.execute(database.db)
    const read = () => sql`select * from widening`.execute(db).then(({ rows }) => rows)
    assert.deepEqual(await read(), [{ id: 1 }])
    await sql`alter table widening add column name text default 'a'`.execute(db)
    assert.deepEqual(await read(), [{ id: 1, name: 'a' }])
    assert.deepEqual(await read(), [{ id: 1, name: 'a' }])
  })
})

describe('statements again and again', () => {
  test('that are too slow after a migration keep nobody waiting who comes after them', async () => {
    const hasty = openDatabase({ url: database.url, poolSize: 1, timeouts: { queryMs: 200, statementMs: 0 } })
    await sql`create table slow (id int)`.execute(db)
    const read = () => sql`select *, pg_sleep(5) from slow`.execute(hasty.db)
    await read()
    await sql`alter table slow add column name text; insert into slow values (1)`.execute(db)
    await expect(read()).rejects.toThrow('Query read timeout')
    assert.ok(await hasty.ping())
    await hasty.close()
  })

  test('give the last of two columns with one name, null or not', async () => {
    const read = () => sql`select 1 as one_name, null::int as one_name`.execute(db)
    for (const time of [1, 2]) assert.deepEqual((await read()).rows, [{ oneName: null }], `time ${time}`)
  })

  test('that are written as text have their values in order, whatever they are put together of', () => {
    const part = sql`b = ${'two'} and ${sql.raw('c_d')} in (${sql.join([3, 4])})`
    for (const [statement, text, values] of [
      [sql`select ${1} where ${part} or e = ${null}`, 'select $1 where b = $2 and c_d in ($3, $4) or e = $5', 5],
      [sql`select ${sql.ref('aName')}, ${1} where ${part}`, 'select "a_name", $1 where b = $2 and c_d in ($3, $4)', 4],
      [sql`select ${sql.lit("it's")}, ${1}`, "select 'it''s', $1", 1],
    ] as const) {
      const { sql: written, parameters } = statement.compile(db)
      assert.equal(written, text)
      assert.deepEqual(parameters, [1, 'two', 3, 4, null].slice(0, values))
    }
  })

  test('say each time why they cannot be prepared, first in a transaction too', async () => {
    const fail = () => db.transaction().execute((tx) => sql`select no_such_column from jobs`.execute(tx))
    for (const time of [1, 2]) {
      const state = await fail().then(() => undefined, sqlState)
      assert.equal(state, '42703', `time ${time}`)
    }
  })
})

describe('values', () => {
  test('bigint and numeric are numbers, a date is its text, a timestamp is a Date', async () => {
    const { rows } = await sql`select 9007199254740991::bigint as big, 12.5::numeric as number,
      array[1, null, 2]::bigint[] as bigs, '2026-02-01'::date as day, 'epoch'::timestamptz as moment,
      '{"a_b": 1}'::jsonb as nested_json, array['a', null, '', ',"\\\\']::bytea[] as bytes, '{}'::bytea[] as no_bytes
    `.execute(db)
    assert.deepEqual(rows, [
      {
        big: 9007199254740991,
        number: 12.5,
        bigs: [1, null, 2],
        day: '2026-02-01',
        moment: new Date(0),
        nestedJson: { a_b: 1 },
        bytes: [Buffer.from('a'), null, Buffer.alloc(0), Buffer.from(',"\\')],
        noBytes: [],
      },
    ])
  })

  test('a number too large to be exact is refused, not changed', async () => {
    await expect(sql`select 9007199254740993::bigint as big`.execute(db)).rejects.toThrow(RangeError)
    assert.ok(await database.ping())
  })

  test('a timestamp inside JSON looks like one outside', async () => {
    const moment = sql.ref<Date>('moment')
    const { rows } = await sql<{ moment: Date; text: string }>`select moment, ${isoTimestamp(moment)} as text
      from generate_series('2026-01-01 00:00:00.000999+00'::timestamptz, '2026-01-01 00:00:01+00', '1 ms') as moment`.execute(
      db,
    )
    assert.equal(rows.length, 1000)
    for (const row of rows) assert.equal(row.moment.toISOString(), row.text)
  })
})

describe('durability', () => {
  test('a database that could lose confirmed orders is refused with one line', async () => {
    await expect(checkDurability(database.url)).rejects.toThrow(
      /^the database has fsync, full_page_writes, synchronous_commit switched off/,
    )
    await checkDurability(database.url, { isUnsafeAllowed: true })
  })
})

/** A network between us and the database that can be cut: while it is, bytes vanish both ways. */
async function aProxy(url: string) {
  const target = new URL(url)
  const socketPath = `${target.searchParams.get('host')}/.s.PGSQL.${target.port || '5432'}`
  const proxy = { isCut: false, url: '', close: async () => {} }
  const sockets = new Set<Socket>()

  const server = createServer((near) => {
    const far = dial(socketPath)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => proxy.isCut || to.write(chunk))
      from.on('close', () => to.destroy())
      from.on('error', () => {})
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  target.searchParams.delete('host')
  proxy.url = Object.assign(new URL(target), { host: `127.0.0.1:${address.port}` }).href
  proxy.close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return proxy
}
