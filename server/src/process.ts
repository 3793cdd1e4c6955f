import cluster from 'node:cluster'
import { readConfig } from '#config'
import { type Server, startServer } from '#start'
import { fail } from './failing.ts'
import { greeting } from './greeting.ts'

let server: Promise<Server> | undefined
let isStopping = false

// Before anything is started: a signal during the start must not leave a database behind.
process.once('SIGINT', () => void stop())
process.once('SIGTERM', () => void stop())
try {
  server = startServer(readConfig({ LOG_LEVEL: process.stdout.isTTY ? 'warn' : 'info', ...process.env }))
  const { platform } = await server
  // Of several processes the first alone greets, and those that take over later do not.
  const isFirst = cluster.worker === undefined || cluster.worker.id === 1
  if (!isStopping && isFirst) console.log(await greeting(platform, performance.now()))
} catch (error) {
  fail(error)
}

async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  try {
    await (await server)?.stop()
    process.exit(0)
  } catch (error) {
    fail(error)
  }
}
