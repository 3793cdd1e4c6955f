import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { aDatabase } from '#test/database'
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
