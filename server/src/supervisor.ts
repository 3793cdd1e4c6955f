import cluster, { type Worker } from 'node:cluster'
import { readConfig } from '#config'
import { fail } from './failing.ts'

// Several processes, or one, behind a listener that stays here. One that dies is replaced. SIGHUP replaces all, one after
// the other and each only once its successor listens: a new version takes over, and nobody is turned away.

const restartMs = 500

const listening = new Set<Worker>()
/** Whose end is waited for elsewhere: successors that start, and those they take over from. */
const changing = new Set<Worker>()
let isStopping = false
let isReloading = false
let isAskedAgain = false

try {
  const { workers } = readConfig(process.env)
  for (let number = 0; number < workers; number += 1) cluster.fork()
} catch (error) {
  fail(error)
}

// A connection may be handed to one that has just died, which nobody need die of.
cluster.on('fork', (worker) => worker.on('error', (error) => console.error(error)))
cluster.on('listening', (worker) => listening.add(worker))
cluster.on('exit', (worker, code) => {
  const hasListened = listening.delete(worker)
  if (isStopping) {
    if (living().length === 0) process.exit(0)
    return
  }
  if (changing.has(worker)) return
  // A worker that never started would be replaced for ever: its complaint has been printed.
  if (!hasListened && code === 1 && living().length === 0) process.exit(1)
  forkSoon()
})

process.on('SIGINT', stop)
process.on('SIGTERM', stop)
// A terminal that is closed says the same; there it means the end.
process.on('SIGHUP', () => void (process.stdout.isTTY ? stop() : reload()))

function forkSoon(): void {
  setTimeout(() => isStopping || cluster.fork(), restartMs)
}

function living(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker?.isDead() === false)
}

function stop(): void {
  if (isStopping) return
  isStopping = true
  const workers = living()
  if (workers.length === 0) process.exit(0)
  for (const worker of workers) worker.process.kill('SIGTERM')
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
    if (hasSuccessor) await retire(old)
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

async function retire(old: Worker): Promise<void> {
  if (old.isDead()) return
  const ended = hearing(old, 'exit')
  old.process.kill('SIGTERM')
  await ended
}

function hearing(worker: Worker, event: 'listening' | 'exit' | 'error'): Promise<string> {
  return new Promise((resolve) => worker.once(event, () => resolve(event)))
}
