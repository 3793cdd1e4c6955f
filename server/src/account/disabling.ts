import type { Tx } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import { conflict } from '#problem'
import { loadUser } from './account.ts'
import { mailDisabledLater, mailEnabledLater } from './mails.ts'
import { markDisabled, markEnabled } from './queries.ts'
import { deleteSessions } from './session-queries.ts'
import { voidTokens } from './token-queries.ts'

/** Keys and sessions ask the database at every call, so they stop at once on every process. */
export async function disableUser(
  tx: Tx,
  platform: Platform,
  staff: { userId: string },
  { userId, reason }: { userId: string; reason: string },
): Promise<void> {
  const user = await loadUser(tx, userId)
  if (user.isStaff) throw conflict(staff.userId === userId ? 'This is your own account' : 'This is one of the staff')
  if (!(await markDisabled(tx, user, reason))) throw conflict('The account is off already')
  await deleteSessions(tx, user.id, null)
  await voidTokens(tx, user.id, ['reset', 'change-email', 'second-factor'])
  await mailDisabledLater(tx, platform, user, reason)
}

/** Its keys work again; it signs in anew. */
export async function enableUser(tx: Tx, platform: Platform, userId: string): Promise<void> {
  const user = await loadUser(tx, userId)
  if (!(await markEnabled(tx, user))) throw conflict('The account is on')
  await mailEnabledLater(tx, platform, user)
}
