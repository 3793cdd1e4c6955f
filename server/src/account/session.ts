import type { Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import { hashToken, newToken } from '#platform/secrets/tokens'
import { insertSession, touchSession } from './session-queries.ts'
import type { UserRow } from './tables.ts'

const lifetimeSeconds = 30 * 24 * 3600
const userAgentCharactersMax = 512

/** The browser that somebody acts from. */
export interface Visitor {
  ip: string
  userAgent: string
}

/** Always a new id and token, so that nobody can wait in a session that was planted. */
export async function beginSession(tx: Tx, user: UserRow, { ip, userAgent }: Visitor): Promise<string> {
  const token = newToken(256)
  await insertSession(
    tx,
    {
      id: newId(),
      tokenHash: hashToken(token),
      userId: user.id,
      ipAddress: ip,
      userAgent: userAgent.replaceAll('\u0000', '').toWellFormed().slice(0, userAgentCharactersMax).toWellFormed(),
    },
    lifetimeSeconds,
  )
  return token
}

/** Slides the session's end without keeping the request waiting. */
export function touchSessionLater({ db, log }: Platform, session: { id: string; ip: string }): void {
  transact(db, (tx) => touchSession(tx, session.id, session.ip, lifetimeSeconds)).catch((error) =>
    log.warn({ err: error }, 'the use of a session was not noted'),
  )
}
