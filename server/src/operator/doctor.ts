import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Running } from '#start'

const freeBytesMin = 1024 ** 3
const clockSkewSecondsMax = 5

/** Looks at what the service stands on, and says of each finding what to do. */
export async function examine({ platform, database, migrated }: Running): Promise<object> {
  const { config, db } = platform
  const { rows } = await sql<{ version: string; now: Date; fsync: string; synchronous_commit: string }>`
    select current_setting('server_version') as version, now() as now,
           current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit
  `.execute(db)
  const [server] = rows
  const skewSeconds = Math.abs(Date.now() - (server?.now.getTime() ?? 0)) / 1000
  const disk = await statfs(config.dataDir)
  const freeBytes = disk.bavail * disk.bsize
  const findings = [
    finding('database', (await database.ping()) ? undefined : 'does not answer: check DATABASE_URL'),
    finding(
      'clock',
      skewSeconds > clockSkewSecondsMax ? `differs from the database's by ${skewSeconds} s: set it` : undefined,
    ),
    finding(
      'disk',
      freeBytes < freeBytesMin ? `has ${freeBytes} bytes left under ${config.dataDir}: make room` : undefined,
    ),
    finding('mail', config.smtpUrl || config.isMailPageOn ? undefined : 'SMTP_URL is not set: nobody gets mails'),
    finding('https', config.apiUrl.protocol === 'https:' || config.isDemoOn ? undefined : 'API_URL is not https'),
  ]
  return {
    postgresql: server?.version ?? 'unknown',
    migrationsApplied: migrated.length,
    ...Object.fromEntries(findings),
  }
}

function finding(name: string, trouble: string | undefined): [string, string] {
  return [name, trouble ?? 'ok']
}
