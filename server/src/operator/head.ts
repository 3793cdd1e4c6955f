import type { Tx } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import type { Entry } from './archive.ts'
import { appliedMigrations } from './tables.ts'

export type Head = Extract<Entry, { kind: 'head' }>

/** Names the version and, without telling it, the secret key: without that key the sealed values cannot be read. */
export async function headOf(tx: Tx, { secrets }: Platform): Promise<Head> {
  return {
    kind: 'head',
    format: 'keystall-backup',
    version: 1,
    madeAt: new Date().toISOString(),
    migrations: await appliedMigrations(tx),
    keyPrint: secrets.derive('backup-fingerprint').toString('hex').slice(0, 16),
  }
}
