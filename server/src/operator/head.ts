import type { Tx } from '#platform/db/database'
import type { SecretKey } from '#platform/secrets/secret-key'
import { archiveVersion, type Entry } from './archive.ts'
import { CommandMistake } from './mistake.ts'
import { appliedMigrations } from './tables.ts'

export type Head = Extract<Entry, { kind: 'head' }>

/** Names the version and, without telling it, the secret key: without that key the sealed values cannot be read. */
export async function headOf(tx: Tx, secrets: SecretKey, salt: string | null = null): Promise<Head> {
  return {
    kind: 'head',
    format: 'keystall-backup',
    version: archiveVersion,
    madeAt: new Date().toISOString(),
    migrations: await appliedMigrations(tx),
    keyPrint: printOf(secrets),
    salt,
  }
}

export async function refuseOtherVersion(tx: Tx, head: Head): Promise<void> {
  const own = await appliedMigrations(tx)
  if (head.version !== archiveVersion || own.join() !== head.migrations.join()) {
    throw new CommandMistake('The file was made by another version: use that version, then upgrade')
  }
}

export function isSealedBy(secrets: SecretKey, head: Head): boolean {
  return head.keyPrint === printOf(secrets)
}

function printOf(secrets: SecretKey): string {
  return secrets.derive('backup-fingerprint').toString('hex').slice(0, 16)
}
