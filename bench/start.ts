import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbedded } from '../server/src/platform/embedded/postgres.ts'
import { ownWords } from '../server/test/product.ts'
import { report } from './tools/table.ts'

// How long the first and every later start take, as the program itself prints it, and what it holds when idle.

const root = fileURLToPath(new URL('..', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'keystall-bench-'))
const warmStarts = 5
const idleSeconds = 15

const first = await start()
await stop(first.child)
const warm: number[] = []
for (let number = 0; number < warmStarts; number += 1) {
  const { child, seconds } = await start()
  warm.push(seconds)
  await stop(child)
}
const idle = await start()
// What a connection did is counted ten seconds later at the latest: what belongs to the start is counted by then.
await sleep(12_000)
const database = await startEmbedded({ dataDir, log: { info() {}, error: console.error } })
const client = new pg.Client({ connectionString: database.url })
await client.connect()
const before = await transactions()
await sleep(idleSeconds * 1000)
const statements = ((await transactions()) - before - 1) / idleSeconds
const megabytes = residentMegabytes(idle.child)
await client.end()
await database.stop()
await stop(idle.child)
rmSync(dataDir, { recursive: true, force: true })

const isMet = report('start', [
  { case: 'first start to ready', ...compared(first.seconds, 3, 's') },
  { case: 'later start to ready, best of five', ...compared(Math.min(...warm), 0.5, 's') },
  { case: `resident after ${idleSeconds} s idle`, ...compared(megabytes, 150, 'MB') },
  { case: 'statements a second when idle', ...compared(statements, 1, '') },
])
process.exit(isMet ? 0 : 1)

function compared(measured: number, most: number, unit: string) {
  return { measured: `${measured.toFixed(2)} ${unit}`, target: `< ${most} ${unit}`, isMet: measured < most }
}

async function start(): Promise<{ child: ChildProcess; seconds: number }> {
  const child = spawn(process.execPath, [...ownWords, 'server/dist/main.js'], {
    cwd: root,
    env: { ...process.env, PORT: '18081', DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout?.on('data', (chunk) => (printed += chunk))
  for (;;) {
    const seconds = /is ready, ([\d.]+) s/.exec(printed)?.[1]
    if (seconds !== undefined) return { child, seconds: Number(seconds) }
    if (child.exitCode !== null) throw new Error('Keystall did not start')
    await sleep(10)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** All that the database has seen; the reading itself is one. */
async function transactions(): Promise<number> {
  const { rows } = await client.query(
    'select xact_commit + xact_rollback as seen from pg_stat_database where datname = current_database()',
  )
  return Number(Object(rows[0]).seen)
}

function residentMegabytes(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
