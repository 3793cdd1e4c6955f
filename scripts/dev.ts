import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { dashboardBuild } from '../dashboard/vite.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const config = dashboardBuild(join(root, 'dashboard/dist'))

const watcher = await build({ ...config, logLevel: 'info', build: { ...config.build, watch: {} } })
const server = spawn(process.execPath, ['--watch', 'server/src/main.ts'], { cwd: root, stdio: 'inherit' })

// Ctrl-C reaches the server too, as it is in the same process group; it gets the time it needs to stop its database.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (signal === 'SIGTERM') server.kill(signal)
    if ('close' in watcher) void watcher.close()
  })
}
server.on('exit', (code) => process.exit(code ?? 0))
