import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startMigrator } from './tools/migrators.ts'
import type { Fault } from './tools/under-load.ts'

/** Each holds what it changed for a while, as on large tables. */
const steps = (time: number) => [
  `alter table orders add column faults_${time} integer not null default 0; select pg_sleep(0.4);`,
  `create index faults_${time}_name on products (store_id, name, id); select pg_sleep(0.4);`,
  `create table faults_${time} as select id, date_created from orders; select pg_sleep(0.4);`,
]
const longestMs = 1_800
const times = 6
let added = 0

/** A newer version migrates the database that the old one serves from; it dies, every other time with the server. */
export const upgradeKilled: Fault = {
  name: 'upgrade-killed',
  title: 'kill -9 of an upgrade that migrates, in use',
  times: { whole: times },
  promises: { recoveryMs: 5_000 },
  async strike({ database, servers: [server], random }, time) {
    if (time === 0) added = 0
    const folder = await mkdtemp(join(tmpdir(), 'keystall-migrations-'))
    await cp(fileURLToPath(new URL('../server/migrations', import.meta.url)), folder, { recursive: true })
    for (let earlier = 0; earlier <= time; earlier += 1) {
      for (const [index, text] of steps(earlier).entries())
        await writeFile(join(folder, `${9000 + earlier * 10 + index}_faults.sql`), text)
    }
    const dying = startMigrator(database.url(), folder)
    await once(dying, 'message')
    await sleep(random() * longestMs)
    const at = performance.now()
    dying.kill('SIGKILL')
    if (time % 2 === 1) {
      await server?.kill('SIGKILL')
      server?.start()
    }
    const next = startMigrator(database.url(), folder)
    const [code] = await once(next, 'exit')
    if (code === 0) added += steps(time).length
    await rm(folder, { recursive: true })
    return at
  },
  async check(client) {
    const { rows } = await client.query<{ applied: string }>(
      "select count(*) as applied from schema_migrations where name like '9%'",
    )
    const all = times * steps(0).length
    return { 'migrations that were not applied': Math.max(all - Math.min(added, Number(rows[0]?.applied)), 0) }
  },
}
