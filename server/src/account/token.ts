import type { Tx } from '#platform/db/database'
import { hashToken, newToken } from '#platform/secrets/tokens'
import { invalid } from '#problem'
import { insertToken, takeToken, voidTokens } from './token-queries.ts'
import type { TokenPurpose, UserRow } from './tables.ts'

const lifetimeSeconds: Record<TokenPurpose, number> = {
  confirm: 24 * 3600,
  reset: 15 * 60,
  'change-email': 24 * 3600,
  'second-factor': 5 * 60,
}

/** The newest link is the only one: those of the same purpose before it end. */
export async function makeToken(
  tx: Tx,
  user: UserRow,
  purpose: TokenPurpose,
  emailAddress: string | null = null,
): Promise<string> {
  const token = newToken(256)
  // Half-done sign-ins in two browsers do not end each other.
  if (purpose !== 'second-factor') await voidTokens(tx, user.id, [purpose])
  await insertToken(
    tx,
    { tokenHash: hashToken(token), userId: user.id, purpose, emailAddress },
    lifetimeSeconds[purpose],
  )
  return token
}

export async function spendToken(tx: Tx, token: string, purpose: TokenPurpose) {
  const row = await takeToken(tx, hashToken(token), purpose)
  if (!row) throw invalid({ token: 'is used, too old or incomplete' })
  return row
}
