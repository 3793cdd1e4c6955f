import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aDatabase } from '#test/database'
import { statementsOf } from '#test/statements'
import { type Insertion, insertAtEnd } from './at-end.ts'
import { isUniqueViolation, transact } from './transaction.ts'

const database = await aDatabase()
const { db } = database
afterAll(() => database.close())

test('a transaction that lost a deadlock is run again', async () => {
  await sql`create table accounts_of_test (id int primary key, tries int not null)`.execute(db)
  await sql`insert into accounts_of_test values (1, 0), (2, 0)`.execute(db)
  let runs = 0
  const move = (first: number, second: number) =>
    transact(db, async (tx) => {
      runs += 1
      await sql`update accounts_of_test set tries = tries + 1 where id = ${first}`.execute(tx)
      await sql`select pg_sleep(0.05)`.execute(tx)
      await sql`update accounts_of_test set tries = tries + 1 where id = ${second}`.execute(tx)
    })

  await Promise.all([move(1, 2), move(2, 1)])

  const { rows } = await sql<{ tries: number }>`select tries from accounts_of_test order by id`.execute(db)
  assert.deepEqual(rows, [{ tries: 2 }, { tries: 2 }])
  assert.ok(runs > 2, 'they met')
})

test('a serialization failure is retried, and not for ever', async () => {
  const lost = () => sql`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`
  let runs = 0
  const second = await transact(db, async (tx) => {
    runs += 1
    if (runs === 1) await lost().execute(tx)
    return runs
  })
  assert.equal(second, 2)

  runs = 0
  const never = transact(db, async (tx) => {
    runs += 1
    await lost().execute(tx)
  })
  await expect(never).rejects.toThrow('lost')
  assert.equal(runs, 6)
})

test('a refusal rolls back and is not retried', async () => {
  let runs = 0
  await sql`create table names (name text constraint names_once unique)`.execute(db)
  const failure = await transact(db, async (tx) => {
    runs += 1
    await sql`insert into names values ('a')`.execute(tx)
    await sql`insert into names values ('a')`.execute(tx)
  }).catch((error: unknown) => error)

  assert.equal(runs, 1)
  assert.ok(isUniqueViolation(failure))
  assert.ok(isUniqueViolation(failure, 'names_once'))
  assert.ok(!isUniqueViolation(failure, 'another'))
  assert.deepEqual((await sql`select * from names`.execute(db)).rows, [])
})

describe('begin and commit travel with the first and the last statement', () => {
  const rows: Insertion<{ id: number }> = {
    name: 'row',
    insert: (all) => sql`
      insert into rows_of_test
      select id from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as new (id int)
    `,
  }
  const ids = async () =>
    (await sql<{ id: number }>`select id from rows_of_test order by id`.execute(db)).rows.map(({ id }) => id)

  beforeAll(async () => {
    await sql`create table rows_of_test (id int primary key check (id > 0))`.execute(db)
  })

  beforeEach(async () => {
    await sql`delete from rows_of_test`.execute(db)
  })

  test('two statements are two round trips, and others see all of it at its end', async () => {
    const statements = await statementsOf(() =>
      transact(db, async (tx) => {
        await sql`insert into rows_of_test values (1)`.execute(tx)
        assert.deepEqual(await ids(), [], 'a transaction is open')
        await insertAtEnd(tx, rows, { id: 2 })
      }),
    )
    assert.equal(statements.filter((text) => !text.includes('order by')).length, 2)
    assert.deepEqual(await ids(), [1, 2])
  })

  test('what fails in the first or the last statement leaves nothing, and the next transaction works', async () => {
    const first = transact(db, (tx) => sql`insert into rows_of_test values (-1)`.execute(tx))
    await expect(first).rejects.toMatchObject({ code: '23514' })
    const last = transact(db, async (tx) => {
      await sql`insert into rows_of_test values (1)`.execute(tx)
      await insertAtEnd(tx, rows, { id: -1 })
    })
    await expect(last).rejects.toMatchObject({ code: '23514' })
    assert.deepEqual(await ids(), [])
    await transact(db, (tx) => insertAtEnd(tx, rows, { id: 3 }))
    assert.deepEqual(await ids(), [3])
  })

  test('what throws before, between and after statements is rolled back', async () => {
    const refuse = () => {
      throw new Error('refused')
    }
    await expect(transact(db, async () => refuse())).rejects.toThrow('refused')
    const between = transact(db, async (tx) => {
      await sql`insert into rows_of_test values (1)`.execute(tx)
      refuse()
    })
    await expect(between).rejects.toThrow('refused')
    assert.deepEqual(await ids(), [])
  })

  test('a statement that a migration made stale is prepared anew, within its transaction too', async () => {
    const read = () => transact(db, (tx) => sql`select * from rows_of_test`.execute(tx))
    await Promise.all([read(), read(), read()])
    await sql`alter table rows_of_test add column more int`.execute(db)
    await Promise.all([read(), read(), read()])
  })
})
