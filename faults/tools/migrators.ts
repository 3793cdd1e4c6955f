import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((migrator) => migrator.kill('SIGKILL')))

/** With the migrations of a folder, or with our own; says when it begins. */
export function startMigrator(url: string, folder = ''): ChildProcess {
  const program = fileURLToPath(new URL('./migrator.ts', import.meta.url))
  const migrator = fork(program, [url, folder], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  running.add(migrator.once('exit', () => running.delete(migrator)))
  return migrator
}
