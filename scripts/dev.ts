import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { dashboardBuild } from '../dashboard/vite.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const config = dashboardBuild(join(root, 'dashboard/dist'))
let server: ChildProcess | undefined
let isStopping = false

/** The server reads the dashboard's page when it starts; its own sources it watches itself. */
async function restartServer() {
  await stopServer()
  if (isStopping) return
  // A group of its own: Ctrl-C then reaches it through us alone, once, and it can stop its database in peace.
  server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    detached: true,
  })
}

async function stopServer() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit')
  server.kill('SIGTERM')
  await exited
}

const watcher = await build({ ...config, logLevel: 'info', build: { ...config.build, watch: {} } })
if (!('on' in watcher)) throw new Error('vite did not begin to watch')
watcher.on('event', (event) => {
  if (event.code === 'END') void restartServer()
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    isStopping = true
    await Promise.all([watcher.close(), stopServer()])
    process.exit(0)
  })
}
