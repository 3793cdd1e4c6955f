import type { Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { insertAuditEntry } from './queries.ts'

export interface Act {
  act: string
  userId: string | null
  storeId?: string
  /** What was acted upon: an id or a name, never a secret. */
  subject?: string
  ip?: string
  details?: Record<string, unknown>
}

/** Entries are only ever added; they happen with the change or not at all. */
export async function recordAct(tx: Tx, { act, userId, storeId, subject, ip, details = {} }: Act): Promise<void> {
  await insertAuditEntry(tx, {
    id: newId(),
    act,
    userId,
    storeId: storeId ?? null,
    subject: subject ?? null,
    ipAddress: ip ?? null,
    details,
  })
}
