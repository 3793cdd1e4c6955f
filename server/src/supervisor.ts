import cluster, { type Worker } from 'node:cluster'
import { readConfig } from '#config'
import { fail } from './failing.ts'
import { retire } from './retiring.ts'

// Several processes, or one, behind a listener that stays here. One that dies is replaced. SIGHUP replaces all, one after
// the other and each only once its successor listens: a new version takes over, and nobody is turned away.

const restartMs = 500
const restartMsMax = 30_000
/** Then somebody must see to it: systemd, or whoever reads what the process printed. */
const failedStartsMax = 5

const listening = new Set<Worker>()
/** Whose end is waited for elsewhere: successors that start, and those they take over from. */
const changing = new Set<Worker>()
let isStopping = false
let isReloading = false
let isAskedAgain = false
let failedStarts = 0
let hasStarted = false
let exitCode = 0

const workers = start()

// A connection may be handed to one that has just died, which nobody need die of.
cluster.on('fork', (worker) => worker.on('error', (error) => console.error(error)))
cluster.on('listening', (worker) => {
  listening.add(worker)
  failedStarts = 0
  if (!hasStarted) for (let number = living().length; number < workers; number += 1) cluster.fork()
  hasStarted = true
})
cluster.on('exit', (worker) => {
  const hasListened = listening.delete(worker)
  if (isStopping) {
    if (living().length === 0) process.exit(exitCode)
    return
  }
  if (changing.has(worker)) return
  if (!hasListened) failedStarts += 1
  // Its complaint has been printed. Whoever serves goes on, however often the others fail.
  if (listening.size === 0 && isHopeless()) stop(1)
  else if (hasStarted) forkSoon()
})

/** The first start is for all or for none: what one cannot do now, another cannot either. */
function isHopeless(): boolean {
  return hasStarted ? failedStarts >= failedStartsMax : living().length === 0
}

process.on('SIGINT', () => stop())
process.on('SIGTERM', () => stop())
// A terminal that is closed says the same; there it means the end.
process.on('SIGHUP', () => void (process.stdout.isTTY ? stop() : reload()))

function start(): number {
  try {
    const { workers } = readConfig(process.env)
    for (let number = 0; number < workers; number += 1) cluster.fork()
    return workers
  } catch (error) {
    fail(error)
  }
}

/** Soon, and later each time that it was in vain. */
function forkSoon(): void {
  const afterMs = Math.min(restartMsMax, restartMs * 2 ** Math.max(0, failedStarts - 1))
  setTimeout(() => isStopping || cluster.fork(), afterMs)
}

function living(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker?.isDead() === false)
}

function stop(code = 0): void {
  if (isStopping) return
  isStopping = true
  exitCode = code
  const left = living()
  if (left.length === 0) process.exit(code)
  for (const worker of left) worker.process.kill('SIGTERM')
}

/** Asked while it is at it, it does so once more: the files may have changed in between. */
async function reload(): Promise<void> {
  isAskedAgain = isReloading
  if (isReloading) return
  isReloading = true
  do {
    isAskedAgain = false
    await replaceAll()
  } while (isAskedAgain)
  isReloading = false
}

async function replaceAll(): Promise<void> {
  for (const old of living()) {
    if (isStopping) return
    // Who died meanwhile has been replaced already.
    if (old.isDead()) continue
    changing.add(old)
    const hasSuccessor = await startSuccessor()
    if (hasSuccessor) await retire(old.process)
    changing.delete(old)
    if (!hasSuccessor) {
      if (old.isDead()) forkSoon()
      console.error('Keystall was not replaced: the new process did not start; the old ones go on.')
      return
    }
  }
  if (!isStopping) console.log('Keystall was replaced.')
}

async function startSuccessor(): Promise<boolean> {
  const successor = cluster.fork()
  changing.add(successor)
  const event = await Promise.race([
    hearing(successor, 'listening'),
    hearing(successor, 'exit'),
    hearing(successor, 'error'),
  ])
  changing.delete(successor)
  return event === 'listening'
}

function hearing(worker: Worker, event: 'listening' | 'exit' | 'error'): Promise<string> {
  return new Promise((resolve) => worker.once(event, () => resolve(event)))
}
