import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, onTestFinished, test } from 'vitest'
import type { Platform } from '#platform/platform'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { aDatabase, type TestDatabase } from '#test/database'
import { enqueue, every, job, type Performer, perform, type Schedule, type Watch } from './job.ts'
import { jobRows } from './rows.ts'
import { startJobs } from './runner.ts'
import { wakeWorkers } from './wake.ts'

const Letter = Type.Object({ letter: Type.String() })
const platform = { log: pino({ level: 'silent' }) } as Platform

let database: TestDatabase

beforeAll(async () => {
  database = await aDatabase()
})

afterAll(() => database.close())

beforeEach(() => sql`delete from jobs`.execute(database.db))

function start(performers: Performer[], schedules: Schedule[] = [], watches: Watch[] = []) {
  const jobs = startJobs({ ...database, platform, performers, schedules, watches })
  onTestFinished(() => jobs.stop(1))
  return jobs
}

const startWatching = (watch: Watch, performers: Performer[] = []) => start(performers, [], [watch])

async function until(isTrue: () => boolean | Promise<boolean>, seconds = 5): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (!(await isTrue())) {
    assert.ok(Date.now() < end, 'it did not happen in time')
    await sleep(5)
  }
}

/** Schedules aside. */
async function waiting() {
  const { rows } = await sql<{ tries: number; failedAt: Date | null; lastError: string | null }>`
    select * from jobs where queue <> 'prune-failed-jobs' order by id
  `.execute(database.db)
  return rows
}

describe('a job', () => {
  test('is done after the commit, soon, once, and is gone', async () => {
    const seen: string[] = []
    const write = job('write', Letter)
    start([perform(write, async (_db, { letter }) => seen.push(letter))])
    await sleep(100)

    await transact(database.db, async (tx) => {
      await enqueue(tx, write, { letter: 'a' })
      await sleep(60)
      assert.deepEqual(seen, [])
    })
    // Nobody who had not heard of it would look so soon.
    await until(() => seen.length > 0, 3)
    await until(async () => (await waiting()).length === 0)
    assert.deepEqual(seen, ['a'])
  })

  test('is looked for when its transaction has ended, however long that takes', async () => {
    const seen: string[] = []
    const write = job('write', Letter)
    start([perform(write, async (_db, { letter }) => seen.push(letter))])
    await sleep(100)

    await transact(database.db, async (tx) => {
      const row = { id: newId(), queue: 'write', key: null, data: { letter: 'a' }, seconds: 0 }
      await jobRows.insert([row]).execute(tx)
      await wakeWorkers(tx, { isDue: true })
      await sleep(100)
    })
    // Nobody who had looked before would look so soon.
    await until(() => seen.length > 0, 4)
  })

  test('is not done when the transaction is rolled back', async () => {
    const seen: string[] = []
    const write = job('write', Letter)
    start([perform(write, async (_db, { letter }) => seen.push(letter))])
    const lost = transact(database.db, async (tx) => {
      await enqueue(tx, write, { letter: 'a' })
      throw new Error('no')
    })
    await assert.rejects(lost, /no/)
    await transact(database.db, (tx) => enqueue(tx, write, { letter: 'b' }))
    await until(() => seen.length > 0)
    assert.deepEqual(seen, ['b'])
  })

  test('waits as long as it was told', async () => {
    let doneAt = 0
    const write = job('write', Letter)
    start([perform(write, async () => void (doneAt = performance.now()))])
    const startedAt = performance.now()
    await transact(database.db, (tx) => enqueue(tx, write, { letter: 'a' }, { startAfterSeconds: 0.5 }))
    await until(() => doneAt > 0, 3)
    assert.ok(doneAt - startedAt >= 480)
  })

  test('is heard of from a process without workers', async () => {
    const write = job('write', Letter)
    const idle = await database.pool.connect()
    onTestFinished(() => idle.release())
    const heard = new Promise((resolve) => idle.once('notification', resolve))
    await idle.query('listen keystall_jobs')
    await transact(database.db, (tx) => enqueue(tx, write, { letter: 'a' }))
    assert.ok(await heard)
  })

  test('fails at once when its data does not fit', async () => {
    const write = job('write', Letter)
    await sql`insert into jobs (id, queue, data) values (gen_random_uuid(), 'write', '{"letter": 1}')`.execute(
      database.db,
    )
    start([perform(write, async () => assert.fail('it was performed'))])
    await until(async () => (await waiting())[0]?.failedAt instanceof Date)
    assert.match((await waiting())[0]?.lastError ?? '', /does not fit/)
  })
})

describe('a watch', () => {
  const waits = sql<boolean>`exists (select from jobs where queue = 'pile')`
  const pile = (letter: string) =>
    sql`insert into jobs (id, queue, data) values (gen_random_uuid(), 'pile', ${{ letter }})`.execute(database.db)

  test('all that waits is done in one round, and what comes meanwhile in the next', async () => {
    const rounds: number[] = []
    for (const letter of 'abc') await pile(letter)
    const isWatched = startWatching({
      name: 'pile',
      pauseMs: 50,
      isWaiting: () => waits,
      handle: async (db) => {
        const { numAffectedRows } = await sql`delete from jobs where queue = 'pile'`.execute(db)
        rounds.push(Number(numAffectedRows))
        if (rounds.length === 1) for (const letter of 'de') await pile(letter)
      },
    })
    await until(() => rounds.length === 2)
    assert.deepEqual(rounds, [3, 2])
    await isWatched.stop()
  })

  test('a round that fails is made again, and stops nothing else', async () => {
    let failures = 0
    const seen: string[] = []
    const write = job('write', Letter)
    await pile('a')
    startWatching(
      {
        name: 'pile',
        pauseMs: 0,
        isWaiting: () => waits,
        handle: async (db) => {
          failures += 1
          if (failures === 1) throw new Error('not now')
          await sql`delete from jobs where queue = 'pile'`.execute(db)
        },
      },
      [perform(write, async (_db, { letter }) => seen.push(letter))],
    )
    await until(() => failures === 1)
    await transact(database.db, (tx) => enqueue(tx, write, { letter: 'a' }))
    await until(() => seen.length === 1)
    await until(async () => failures === 2 && (await waiting()).length === 0)
  })

  test('who stops waits for the round that is under way, and begins none', async () => {
    let isDone = false
    await pile('a')
    const begun = Promise.withResolvers<void>()
    const jobs = startWatching({
      name: 'pile',
      pauseMs: 0,
      isWaiting: () => waits,
      handle: async () => {
        assert.ok(!isDone, 'a second round was begun')
        begun.resolve()
        await sleep(200)
        isDone = true
      },
    })
    await begun.promise
    await jobs.stop()
    assert.ok(isDone)
    await sleep(50)
  })
})

describe('trying again', () => {
  test('follows the pauses, tells the last try, and keeps what failed', async () => {
    const tries: { tries: number; isLast: boolean }[] = []
    const write = job('write', Letter, { retrySeconds: [0.05, 0.1] })
    start([
      perform(write, async (_db, _data, { tries: count, isLast }) => {
        tries.push({ tries: count, isLast })
        throw new Error(`no ${count}`)
      }),
    ])
    await transact(database.db, (tx) => enqueue(tx, write, { letter: 'a' }))
    await until(async () => (await waiting())[0]?.failedAt instanceof Date)
    assert.deepEqual(tries, [
      { tries: 1, isLast: false },
      { tries: 2, isLast: false },
      { tries: 3, isLast: true },
    ])
    assert.equal((await waiting())[0]?.lastError, 'no 3')
  })

  test('a worker that died loses its job when the lease ends, and its late end changes nothing', async () => {
    const write = job('write', Letter, { leaseSeconds: 1 })
    let begun = 0
    const first = Promise.withResolvers<void>()
    start([
      perform(write, async () => {
        begun++
        if (begun === 1) await first.promise
        else await sleep(300)
      }),
    ])
    await transact(database.db, (tx) => enqueue(tx, write, { letter: 'a' }))
    await until(() => begun === 2)
    first.resolve()
    await sleep(100)
    assert.equal((await waiting()).length, 1)
    await until(async () => (await waiting()).length === 0)
    assert.equal(begun, 2)
  })
})

describe('many at once', () => {
  test('two processes do each job once, and no more than allowed at a time', async () => {
    const seen: string[] = []
    let inside = 0
    let most = 0
    const write = job('write', Letter, { atOnce: 3 })
    const performer = perform(write, async (_db, { letter }) => {
      most = Math.max(most, ++inside)
      await sleep(5)
      inside--
      seen.push(letter)
    })
    start([performer])
    start([performer])
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        transact(database.db, (tx) => enqueue(tx, write, { letter: String(index) })),
      ),
    )
    await until(() => seen.length >= 100)
    await until(async () => (await waiting()).length === 0)
    assert.equal(new Set(seen).size, 100)
    assert.equal(seen.length, 100)
    assert.ok(most <= 6)
  })

  test('a slow kind of job does not hold up another', async () => {
    const slow = job('slow', Letter, { atOnce: 1 })
    const quick = job('quick', Letter)
    let isDone = false
    start([perform(slow, () => sleep(1000)), perform(quick, async () => void (isDone = true))])
    for (const letter of ['a', 'b', 'c']) await transact(database.db, (tx) => enqueue(tx, slow, { letter }))
    await transact(database.db, (tx) => enqueue(tx, quick, { letter: 'a' }))
    await until(() => isDone, 0.5)
    assert.ok(isDone)
  })

  test('of waiting jobs with one key there is one, and one under way does not count', async () => {
    const seen: string[] = []
    const write = job('write', Letter, { atOnce: 1 })
    const add = (letter: string) =>
      transact(database.db, (tx) => enqueue(tx, write, { letter }, { singletonKey: 'same' }))
    await Promise.all(['a', 'a', 'a', 'a'].map(add))
    assert.equal((await waiting()).length, 1)
    start([
      perform(write, async (_db, { letter }) => {
        seen.push(letter)
        if (letter !== 'a') return
        await add('b')
        await add('c')
        throw new Error('again')
      }),
    ])
    await until(async () => (await waiting()).length === 0)
    // The try that failed is not repeated: the job that waits does for both.
    assert.deepEqual(seen, ['a', 'b'])
  })
})

test('a schedule has one row, whoever starts it, and comes round again', async () => {
  let rounds = 0
  const tick = job('tick', Type.Object({}))
  const performer = perform(tick, async () => {
    rounds++
    if (rounds === 1) throw new Error('once')
  })
  const schedule = every(1, { ...tick, retrySeconds: [] }, {})
  const unneeded = { ...every(1, job('unneeded', Type.Object({})), {}), isNeeded: () => false }
  start([performer], [schedule, unneeded])
  start([performer], [schedule, unneeded])
  await until(() => rounds >= 3, 8)
  assert.equal((await waiting()).length, 1)
})

describe('stopping', () => {
  test('waits for what is under way', async () => {
    let isDone = false
    const write = job('write', Letter)
    const jobs = start([
      perform(write, async () => {
        await sleep(300)
        isDone = true
      }),
    ])
    await transact(database.db, (tx) => enqueue(tx, write, { letter: 'a' }))
    await until(async () => (await waiting())[0]?.tries === 1)
    await jobs.stop()
    assert.ok(isDone)
    assert.equal((await waiting()).length, 0)
  })

  test('hands over what takes too long, without counting the try', async () => {
    const write = job('write', Letter)
    const jobs = start([perform(write, () => sleep(2000))])
    await transact(database.db, (tx) => enqueue(tx, write, { letter: 'a' }))
    await until(async () => (await waiting())[0]?.tries === 1)
    await jobs.stop(0.1)
    assert.equal((await waiting())[0]?.tries, 0)
    let tries = 0
    start([perform(write, async (_db, _data, attempt) => void (tries = attempt.tries))])
    await until(() => tries > 0, 1)
    assert.equal(tries, 1)
  })
})

test('every connection is cut ten times, and every job is done', async () => {
  const seen = new Set<string>()
  const write = job('write', Letter, { leaseSeconds: 2, retrySeconds: Array.from({ length: 30 }, () => 0.1) })
  start([
    perform(write, async (db, { letter }) => {
      await sql`select 1`.execute(db)
      seen.add(letter)
    }),
  ])
  const promised: string[] = []
  for (let round = 0; round < 10; round++) {
    for (let index = 0; index < 10; index++) {
      const letter = `${round}-${index}`
      await transact(database.db, (tx) => enqueue(tx, write, { letter })).then(
        () => promised.push(letter),
        () => {},
      )
    }
    await database.pool
      .query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()')
      .catch(() => {})
  }
  await until(() => promised.every((letter) => seen.has(letter)), 15)
  assert.ok(promised.length > 50)
})
