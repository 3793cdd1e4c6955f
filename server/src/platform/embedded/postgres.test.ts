import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '#platform/db/database'
import { checkDurability } from '#platform/db/durability'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './postgres.ts'

const log = { info: () => {}, error: () => {} }
// What is tested here survives as long as the machine does; one test looks at the settings of a real start.
const settings = { fsync: 'off' }

// Making a database takes longer than all the rest: where it does not matter, the tests use this one in turn.
const dataDir = await mkdtemp(join(tmpdir(), 'keystall-embedded-'))
await (await startEmbedded({ dataDir, log, settings })).stop()
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))

test('a fresh folder becomes a durable database that only its owner can reach', async () => {
  const dataDir = await aFreshFolder()
  const { url, pid } = await aServer(dataDir, { settings: {} })
  const database = open(url)

  await checkDurability(url)
  const { rows } = await sql`select datlocprovider, datlocale, pg_encoding_to_char(encoding) as encoding,
    current_setting('listen_addresses') as addresses from pg_database where datname = current_database()`.execute(
    database.db,
  )
  assert.deepEqual(rows, [{ datlocprovider: 'b', datlocale: 'C.UTF-8', encoding: 'UTF8', addresses: '' }])
  assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700)
  assert.notEqual(sessionOf(pid), sessionOf(process.pid))
})

test('a folder with a long path works', async () => {
  const dataDir = join(await aFreshFolder(), 'long'.repeat(40))
  const { url } = await aServer(dataDir)
  assert.ok(await open(url).ping())
})

test('whoever leaves last stops the server', async () => {
  const shop = await aServer(dataDir)
  const command = await aServer(dataDir)
  assert.equal(command.pid, shop.pid)

  await shop.stop()
  assert.ok(await open(command.url).ping())
  await command.stop()
  assert.ok(!isAlive(shop.pid))
})

test('two processes may make the database at once', async () => {
  const dataDir = await aFreshFolder()
  const [first, second] = await Promise.all([aProcess(dataDir), aProcess(dataDir)])
  assert.equal(first.pid, second.pid)
})

test('it is started again when it is killed, with what it had confirmed', async () => {
  const server = await aServer(dataDir)
  const { db } = open(server.url)
  await sql`create table kept (id int)`.execute(db)
  await sql`insert into kept values (1)`.execute(db)
  const killed = server.pid

  process.kill(killed, 'SIGKILL')

  await eventually(async () => assert.notEqual(server.pid, killed))
  const rows = await eventually(() => sql`select id from kept`.execute(db).then((result) => result.rows))
  assert.deepEqual(rows, [{ id: 1 }])
})

test('a server left behind by a killed process is joined, and stopped in the end', async () => {
  const killed = await aProcess(dataDir)
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  assert.ok(isAlive(killed.pid))

  const next = await aServer(dataDir)
  assert.equal(next.pid, killed.pid)
  process.kill(killed.pid, 'SIGKILL')
  await eventually(async () => assert.ok(await open(next.url).ping()))
  assert.notEqual(next.pid, killed.pid)

  await next.stop()
  assert.ok(!isAlive(next.pid))
})

test('it ends with a process that exits without stopping it', async () => {
  const { child, pid } = await aProcess(dataDir)
  child.stdin?.end()
  await once(child, 'exit')
  await eventually(async () => assert.ok(!isAlive(pid)))
})

test('a lock that names another program is removed', async () => {
  const server = await aServer(dataDir)
  const lockFile = join(dataDir, 'postgres', 'postmaster.pid')
  const lock = readFileSync(lockFile, 'utf8')
  await server.stop()
  const stranger = spawn('sleep', ['60'])
  onTestFinished(() => void stranger.kill())
  writeFileSync(lockFile, lock.replace(/^\d+/, String(stranger.pid)))

  assert.ok(await open((await aServer(dataDir)).url).ping())
})

test('a folder of another version stops the start with one line', async () => {
  const versionFile = join(dataDir, 'postgres', 'PG_VERSION')
  onTestFinished(() => writeFileSync(versionFile, '18\n'))
  writeFileSync(versionFile, '17\n')
  await expect(startEmbedded({ dataDir, log })).rejects.toThrow('was made by PostgreSQL 17, but this is 18')
})

test('a database that cannot start says why', async () => {
  const started = startEmbedded({ dataDir, log, settings: { ...settings, shared_buffers: 'much' } })
  await expect(started).rejects.toThrow(/does not start: .*shared_buffers/)
})

async function aFreshFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keystall-embedded-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))
  return dataDir
}

async function aServer(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
  const server = await startEmbedded({ dataDir, log, settings, ...options })
  onTestFinished(() => server.stop())
  return server
}

/** Another process that uses the embedded server until its input ends. */
async function aProcess(dataDir: string): Promise<{ child: ChildProcess; pid: number }> {
  const program = `
    import { startEmbedded } from ${JSON.stringify(new URL('./postgres.ts', import.meta.url).href)}
    const log = { info() {}, error() {} }
    const { pid } = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log, settings: { fsync: 'off' } })
    console.log(pid)
    process.stdin.on('end', () => process.exit()).resume()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.stdin?.end()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, pid: Number(line) }
}

function open(url: string): Database {
  const database = openDatabase({ url })
  onTestFinished(() => database.close())
  return database
}

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

function sessionOf(pid: number): string | undefined {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3]
}

async function eventually<T>(attempt: () => Promise<T>, deadline = Date.now() + 5_000): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (Date.now() > deadline) throw error
    await sleep(20)
    return eventually(attempt, deadline)
  }
}
