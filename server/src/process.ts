import { type Config, readConfig, WrongSetting } from '#config'
import { type Server, startServer } from '#start'
import { greeting } from './greeting.ts'
import { isFirstProcess, isSupervisor, superviseWorkers } from './workers.ts'

let server: Promise<Server> | undefined
let isStopping = false

try {
  const config = readConfig({ LOG_LEVEL: process.stdout.isTTY ? 'warn' : 'info', ...process.env })
  if (isSupervisor(config.workers)) superviseWorkers(config.workers)
  else await serve(config)
} catch (error) {
  fail(error)
}

async function serve(config: Config): Promise<void> {
  // Before anything is started: a signal during the start must not leave a database behind.
  process.once('SIGINT', () => void stop())
  process.once('SIGTERM', () => void stop())
  server = startServer(config)
  const { platform } = await server
  if (!isStopping && isFirstProcess()) console.log(await greeting(platform, performance.now()))
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

/** One line for what the operator can mend; the whole story for what they cannot. */
function fail(error: unknown): never {
  const isPlain =
    error instanceof WrongSetting || (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
  console.error(isPlain && error instanceof Error ? `Keystall did not start: ${error.message}` : error)
  process.exit(1)
}
