import { lookup } from 'node:dns/promises'
import { statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { newId } from '#platform/db/ids'
import { checkSmtp } from '#platform/mail/mailer'
import type { Platform } from '#platform/platform'
import type { Running } from '#start'

const freeBytesMin = 1024 ** 3
const clockSkewSecondsMax = 5
const connectionsMin = 40
const versionMin = 15
const patienceMs = 5000
/** Anybody's neighbour: whether a connection leaves this machine at all. */
const outside = { host: 'example.com', port: 443 }

/** What is wrong and what to do about it; undefined when nothing is. */
type Look = (running: Running) => Promise<string | undefined>

const looks: Record<string, Look> = {
  database: async ({ database }) => ((await database.ping()) ? undefined : 'does not answer: check DATABASE_URL'),
  'database settings': ({ platform }) => lookAtSettings(platform),
  clock: async ({ platform }) => {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(platform.db)
    const skewSeconds = Math.abs(Date.now() - (rows[0]?.now.getTime() ?? 0)) / 1000
    return skewSeconds > clockSkewSecondsMax
      ? `differs from the database's by ${Math.round(skewSeconds)} s: switch time synchronisation on`
      : undefined
  },
  disk: async ({ platform: { config } }) => {
    const { bavail, bsize } = await statfs(config.dataDir)
    const freeBytes = bavail * bsize
    return freeBytes < freeBytesMin
      ? `has ${Math.round(freeBytes / 1024 ** 2)} MiB left under ${config.dataDir}: make room`
      : undefined
  },
  dns: ({ platform }) => lookAtNames(platform),
  mail: async ({ platform: { config } }) => {
    if (!config.smtpUrl) return config.isMailPageOn ? undefined : 'nobody gets mails: set SMTP_URL'
    return troubleOf(
      checkSmtp(config.smtpUrl),
      (why) => `SMTP_URL does not work (${why}): check its host, port, name and password`,
    )
  },
  storage: ({ platform }) =>
    troubleOf(
      tryStorage(platform),
      (why) => `cannot be written to and read from (${why}): check STORAGE_URL, or who may write to DATA_DIR`,
    ),
  'outgoing calls': () =>
    troubleOf(
      reach(outside),
      (why) => `no connection leaves this machine (${why}): open port 443 for webhooks and payments`,
    ),
  'public address': async ({ platform: { config } }) => {
    const address = `${config.apiUrl.origin}/health`
    const answer = fetch(address, { signal: AbortSignal.timeout(patienceMs) }).then(({ status }) => {
      if (status !== 200) throw new Error(`it answered ${status}`)
    })
    return troubleOf(answer, (why) => `${address} is not Keystall (${why}): start it, check the proxy and API_URL`)
  },
  https: async ({ platform: { config } }) =>
    config.apiUrl.protocol === 'https:' || config.isDemoOn
      ? undefined
      : 'API_URL is not https: put a proxy with certificates in front, see deploy/Caddyfile',
}

/** Looks at what the service stands on, and says of each finding what to do. */
export async function examine(running: Running): Promise<object> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(
    running.platform.db,
  )
  const findings = await Promise.all(
    Object.entries(looks).map(async ([name, look]) => [
      name,
      (await look(running).catch((error: unknown) => `could not be looked at: ${wordsOf(error)}`)) ?? 'ok',
    ]),
  )
  return {
    postgresql: rows[0]?.version ?? 'unknown',
    migrationsApplied: running.migrated.length,
    ...Object.fromEntries(findings),
  }
}

async function lookAtSettings({ db }: Platform): Promise<string | undefined> {
  const { rows } = await sql<{ version: number; connections: number; unsafe: string | null }>`
    select current_setting('server_version_num')::int / 10000 as version,
           current_setting('max_connections')::int as connections,
           (select string_agg(name, ', ') from pg_settings
            where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off') as unsafe
  `.execute(db)
  const { version = 0, connections = 0, unsafe = null } = rows[0] ?? {}
  if (version < versionMin) return `are of PostgreSQL ${version}: upgrade to ${versionMin} or newer`
  if (unsafe) return `may lose what was answered: switch ${unsafe} on`
  return connections < connectionsMin
    ? `allow ${connections} connections: set max_connections to ${connectionsMin} or more`
    : undefined
}

/** A store's label must lead here too. */
async function lookAtNames({ config }: Platform): Promise<string | undefined> {
  const store = config.storeDomain.split(':')[0] ?? ''
  const names = [config.apiUrl.hostname, config.dashUrl.hostname, `demo.${store}`]
  const missing: string[] = []
  for (const name of names.filter((each) => !/(^|\.)localhost$/.test(each))) {
    await lookup(name).catch(() => missing.push(name))
  }
  return missing.length > 0 ? `${missing.join(', ')} cannot be found: set A or AAAA records to this machine` : undefined
}

async function tryStorage({ storage }: Platform): Promise<void> {
  const key = `doctor/${newId()}`
  try {
    await storage.put(key, Readable.from([Buffer.from(key)]), { bytesMax: key.length })
    const found = await storage.read(key)
    const chunks = found ? await found.stream.toArray() : []
    if (Buffer.concat(chunks).toString() !== key) throw new Error('other bytes came back')
  } finally {
    await storage.remove(key)
  }
}

function reach({ host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: patienceMs }, () => {
      socket.destroy()
      resolve()
    })
    socket.once('timeout', () => socket.destroy(new Error('no answer')))
    socket.once('error', reject)
  })
}

async function troubleOf(work: Promise<unknown>, told: (why: string) => string): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => told(wordsOf(error)),
  )
}

function wordsOf(error: unknown): string {
  const { cause, code, message } = Object(error)
  return String(Object(cause)['code'] ?? code ?? message)
}
