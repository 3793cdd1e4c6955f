import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readMeter } from './tools/children.ts'
import { report } from './tools/table.ts'

// How long the first and every later start take, as the program itself prints it, and what it holds when idle.

const root = fileURLToPath(new URL('..', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'keystall-bench-'))
const warmStarts = 5
const idleSeconds = 15

execFileSync(process.execPath, ['scripts/build.ts'], { cwd: root, stdio: 'inherit' })
const first = await start()
await stop(first.child)
const warm: number[] = []
for (let number = 0; number < warmStarts; number += 1) {
  const { child, seconds } = await start()
  warm.push(seconds)
  await stop(child)
}
const idle = await start()
await sleep(5000)
const before = await readMeter(idle.child)
await sleep(idleSeconds * 1000)
const after = await readMeter(idle.child)
await stop(idle.child)
rmSync(dataDir, { recursive: true, force: true })

const megabytes = after.residentBytes / 1024 / 1024
const statements = (after.roundTrips - before.roundTrips) / idleSeconds
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
  const child = spawn(process.execPath, ['--import', './bench/tools/meter.ts', 'server/dist/main.js'], {
    cwd: root,
    env: { ...process.env, PORT: '18081', DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
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
