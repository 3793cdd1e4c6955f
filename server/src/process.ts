import cluster from 'node:cluster'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { readConfig } from '#config'
import type { Server } from '#start'
import { fail } from './failing.ts'
import { layFoundation } from './foundation.ts'

let server: Promise<Server> | undefined
let isStopping = false

// Before anything is started: a signal during the start must not leave a database behind. Nor must a second one during the
// stop: a terminal, npm and systemd each tell every process that they know, and the supervisor tells its own.
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())
// The supervisor's word, once a successor listens.
process.on('message', (message) => void (message === 'retire' && stop({ hasSuccessor: true })))
try {
  server = begin()
  const { platform, app } = await server
  // Of several processes the first alone greets, and those that take over later do not.
  const isFirst = cluster.worker === undefined || cluster.worker.id === 1
  if (!isStopping && isFirst) console.log(await (await import('./greeting.ts')).greeting(platform, performance.now()))
  await app.complete()
  setFlagsFromString('--semi-space-growth-factor=2')
  // By itself Node lets four times of what is in use gather before it looks for what is not. At the start nothing is not.
  setFlagsFromString('--heap-growing-percent=100')
} catch (error) {
  fail(error)
}

/** The database starts while the rest is read, which takes as long. */
async function begin(): Promise<Server> {
  const config = readConfig({ LOG_LEVEL: process.stdout.isTTY ? 'warn' : 'info', ...process.env })
  const launched = Promise.withResolvers<void>()
  const foundation = layFoundation(config, launched.resolve)
  await Promise.race([launched.promise, foundation])
  // In parts: between them the database is heard, which has its say ready long before everything is read.
  await import('#platform/db/database')
  await nextTurn()
  await import('fastify')
  await nextTurn()
  await import('#implementations')
  await nextTurn()
  const { startServer } = await import('#start')
  // The space for what lives shortly has room enough by now: it would grow to a size that an idle shop never needs.
  setFlagsFromString('--semi-space-growth-factor=1')
  return startServer(config, foundation)
}

/** Told again, it may only have to make haste; it ends once. */
async function stop(manner = { hasSuccessor: false }): Promise<void> {
  isStopping = true
  try {
    await (await server)?.stop(manner)
    process.exit(0)
  } catch (error) {
    fail(error)
  }
}
