import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

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
await sleep(idleSeconds * 1000)
const megabytes = residentMegabytes(idle.child)
await stop(idle.child)
rmSync(dataDir, { recursive: true, force: true })

console.table({
  'first start to ready (s)': { measured: first.seconds, target: 3 },
  'later start to ready, best (s)': { measured: Math.min(...warm), target: 1 },
  'later start to ready, worst (s)': { measured: Math.max(...warm), target: 1 },
  [`resident after ${idleSeconds} s idle (MB)`]: { measured: megabytes, target: 150 },
})

async function start(): Promise<{ child: ChildProcess; seconds: number }> {
  const child = spawn(process.execPath, ['server/dist/main.js'], {
    cwd: root,
    env: { ...process.env, PORT: '18081', DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
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

function residentMegabytes(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
