import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { startEmbedded } from '../server/src/platform/embedded/postgres.ts'
import { freePort } from '../server/test/free-ports.ts'
import { type Product, startProduct, untilReady } from '../server/test/product.ts'
import type { Case } from './tools/case.ts'

const kills = { whole: 20, short: 3 }
/** Of a start that has all migrations before it. */
const recoveryMsMax = 5_000

/** A start that dies while it migrates, and the next one goes on: the same tables as if nothing had happened. */
export const migrationsKilled: Case = {
  name: 'migrations-killed',
  forms: ['whole'],
  async run({ random, isShort }) {
    process.once('exit', () => running.forEach(({ child }) => child.kill('SIGKILL')))
    const dataDir = await mkdtemp(join(tmpdir(), 'keystall-faults-'))
    const embedded = await startEmbedded({ dataDir, log: { info: () => {}, error: () => {} } })
    try {
      const times = isShort ? kills.short : kills.whole
      const [whole, broken] = [await aDatabase(embedded.url, 'whole'), await aDatabase(embedded.url, 'broken')]
      const beganWhole = performance.now()
      const files = await migrate(whole)
      const wholeMs = performance.now() - beganWhole
      let halfWay = 0
      for (let time = 0; time < times; time += 1) {
        // Two at once; both die.
        const servers = [startServer(dataDir, broken, await freePort()), startServer(dataDir, broken, await freePort())]
        await untilConnected(broken)
        await sleep(random() * wholeMs)
        await Promise.all(servers.map((server) => server.end('SIGKILL')))
        const applied = await count(broken)
        if (applied > 0 && applied < files.length) halfWay += 1
        if (applied === files.length) await aDatabase(embedded.url, 'broken')
      }
      const port = await freePort()
      const began = performance.now()
      const last = startServer(dataDir, broken, port)
      await untilReady(last, port)
      const recoveryMs = performance.now() - began
      await last.end('SIGTERM')
      const isSame = JSON.stringify(await tablesOf(broken)) === JSON.stringify(await tablesOf(whole))
      const applied = await count(broken)
      const isSlow = !isShort && recoveryMs > recoveryMsMax
      const isMissed = !isShort && halfWay === 0
      return [
        {
          fault: 'kill -9 during migrations',
          times,
          lost: files.length - applied,
          doubled: Math.max(applied - files.length, 0),
          recoveryMs,
          verdict: isSame && applied === files.length && !isSlow && !isMissed ? 'holds' : 'FAILS',
          notes: [
            `${halfWay} of ${times} kills came between two of the ${files.length} migrations`,
            ...(isSlow ? [`recovery took ${recoveryMs.toFixed(0)} ms, promised are ${recoveryMsMax}`] : []),
            ...(isSame ? [] : ['the tables differ from those of an undisturbed start']),
          ],
        },
      ]
    } finally {
      await embedded.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

const running = new Set<Product>()

/** On a database that it migrates by itself before it serves. */
function startServer(dataDir: string, databaseUrl: string, port: number): Product {
  const env = { DATABASE_URL: databaseUrl, DEMO: 'off' }
  const server = startProduct({ dataDir, port, env, program: 'server/dist/main.js' })
  running.add(server)
  server.child.once('exit', () => running.delete(server))
  return server
}

/** Somebody else is connected. */
async function untilConnected(url: string): Promise<void> {
  const others = `
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
  `
  while ((await query(url, others)).length === 0) await sleep(5)
}

/** An empty one; an old one of the name is dropped. */
async function aDatabase(clusterUrl: string, name: string): Promise<string> {
  await query(clusterUrl, `drop database if exists ${name} with (force)`)
  await query(clusterUrl, `create database ${name}`)
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  return url.href
}

async function count(url: string): Promise<number> {
  const rows = await query(url, 'select count(*) as applied from schema_migrations').catch(() => [])
  return Number(rows[0]?.['applied'] ?? 0)
}

/** Every column, constraint and index, in words. */
function tablesOf(url: string): Promise<unknown> {
  return query(
    url,
    `
      select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as words
      from information_schema.columns where table_schema = 'public'
      union all
      select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where conrelid <> 0
        and connamespace = 'public'::regnamespace
      union all
      select indexdef from pg_indexes where schemaname = 'public'
      order by 1
    `,
  )
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client.query(statement).then(
    ({ rows }) => client.end().then(() => rows),
    (error) =>
      client.end().then(() => {
        throw error
      }),
  )
}
