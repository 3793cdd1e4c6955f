import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type RawBuilder, sql } from 'kysely'
import { transact } from '#platform/db/transaction'
import type { TestServer } from './harness.ts'
import { root } from './imports.ts'
import { until } from './shop.ts'

/** So many are held back at a lock while the work goes on; for it they have to wait. */
export function heldBack<T>(
  server: TestServer,
  lock: RawBuilder<unknown>,
  begin: () => { count: number; whenHeld: () => T | Promise<T> },
): Promise<T> {
  return transact(server.platform.db, async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await lock.execute(tx)
    const { count, whenHeld } = begin()
    await until(async () => (await blocked(server)) === count, 30_000)
    return whenHeld()
  })
}

/** Watchers of these chains, each in a process of its own, are killed while they wait for the lock. */
export async function killWatchers(
  server: TestServer,
  env: Record<string, string>,
  methods: readonly string[],
  lock: RawBuilder<unknown>,
): Promise<void> {
  const watchers = await Promise.all(methods.map((method) => aWatcher(server, { ...env, WATCHED: method })))
  await heldBack(server, lock, () => {
    for (const watcher of watchers) watcher.send('begin')
    return {
      count: watchers.length,
      async whenHeld() {
        const ends = watchers.map((watcher) => once(watcher, 'exit'))
        for (const watcher of watchers) watcher.kill('SIGKILL')
        await Promise.all(ends)
      },
    }
  })
  await until(async () => (await blocked(server)) === 0)
}

async function aWatcher({ database, platform }: TestServer, env: Record<string, string>): Promise<ChildProcess> {
  const settings = { DATABASE_URL: database.url, UNSAFE_DATABASE: 'on', LOG_LEVEL: 'error' }
  const files = { DATA_DIR: platform.config.dataDir, SECRET_KEY: 'x'.repeat(32) }
  const watcher = spawn(process.execPath, ['server/test/watch-once.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env, ...settings, ...files },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(watcher, 'message')
  return watcher
}

/** How many wait for a lock: watchers, since nobody else works on this database. */
async function blocked({ platform }: TestServer): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(platform.db)
  return rows.length
}
