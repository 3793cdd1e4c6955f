import assert from 'node:assert/strict'
import type { EmailChangeForm, PasswordForm, PasswordResetForm } from '@keystall/contract/endpoints/account'
import type { Tx } from '#platform/db/database'
import { isUniqueViolation, transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import { invalid } from '#problem'
import { confirmAddress, findUserByEmail, loadUser } from './account.ts'
import { recordAct } from './audit.ts'
import { mailEmailLinkLater, mailEmailNoticeLater, mailPasswordChangedLater, mailPasswordLinkLater } from './mails.ts'
import { hashPassword, refuseWeakPassword } from './password.ts'
import { withProof } from './proof.ts'
import { deleteUnconfirmed, setPassword, updateUser } from './queries.ts'
import { deleteSessions } from './session-queries.ts'
import { voidTokens } from './token-queries.ts'
import type { UserRow } from './tables.ts'
import { spendToken } from './token.ts'

/** Keys live in a module of their own: it is told by this function, handed in by the route. */
export type RevokeKeys = (tx: Tx, user: UserRow) => Promise<unknown>

export async function forgetPassword(platform: Platform, emailAddress: string): Promise<void> {
  const user = await findUserByEmail(platform.db, emailAddress)
  if (!user || user.disabledAt) return
  await transact(platform.db, (tx) => mailPasswordLinkLater(tx, platform, user))
}

/** Whoever reads the mail owns the address, so it is confirmed too. It does not sign in: a second factor stays. */
export async function resetPassword(
  platform: Platform,
  form: Required<PasswordResetForm>,
  { ip, revokeKeys }: { ip: string; revokeKeys: RevokeKeys },
): Promise<UserRow> {
  const passwordHash = await hashPassword(form.password)
  return transact(platform.db, async (tx) => {
    const { userId } = await spendToken(tx, form.token, 'reset')
    const user = await loadUser(tx, userId)
    refuseWeakPassword(form.password, user)
    await confirmAddress(tx, user)
    const changed = await changePasswordTo(tx, platform, user, passwordHash)
    await deleteSessions(tx, user.id, null)
    if (form.revokeKeys) await revokeKeys(tx, user)
    await recordAct(tx, { act: 'password.reset', userId, ip, details: { revokeKeys: form.revokeKeys } })
    return changed
  })
}

export async function changePassword(
  platform: Platform,
  session: { id: string; userId: string },
  form: Required<PasswordForm>,
  { ip, revokeKeys }: { ip: string; revokeKeys: RevokeKeys },
): Promise<void> {
  const passwordHash = await hashPassword(form.newPassword)
  const proof = { password: form.currentPassword, code: form.code, passwordField: 'currentPassword' }
  await withProof(platform, session.userId, proof, async (tx, user) => {
    refuseWeakPassword(form.newPassword, user, 'newPassword')
    await changePasswordTo(tx, platform, user, passwordHash)
    await deleteSessions(tx, user.id, session.id)
    if (form.revokeKeys) await revokeKeys(tx, user)
    await recordAct(tx, { act: 'password.changed', userId: user.id, ip, details: { revokeKeys: form.revokeKeys } })
  })
}

/** Voids every link and half-done sign-in that was made under the old password. */
async function changePasswordTo(tx: Tx, platform: Platform, user: UserRow, passwordHash: string): Promise<UserRow> {
  const changed = await setPassword(tx, user, passwordHash)
  await voidTokens(tx, user.id, ['confirm', 'reset', 'change-email', 'second-factor'])
  await mailPasswordChangedLater(tx, platform, user)
  return changed
}

/** The old address hears of it and stays until the new one is confirmed. The answer tells nothing of other accounts. */
export async function changeEmail(
  platform: Platform,
  userId: string,
  { emailAddress, password, code }: Required<EmailChangeForm>,
): Promise<void> {
  await withProof(platform, userId, { password, code }, async (tx, user) => {
    await mailEmailLinkLater(tx, platform, user, emailAddress)
    await mailEmailNoticeLater(tx, platform, user, emailAddress)
    await recordAct(tx, { act: 'email.change-asked', userId })
  })
}

export async function confirmEmail(platform: Platform, token: string, ip: string): Promise<void> {
  try {
    await transact(platform.db, async (tx) => {
      const { userId, emailAddress } = await spendToken(tx, token, 'change-email')
      const user = await loadUser(tx, userId)
      assert(emailAddress)
      await deleteUnconfirmed(tx, emailAddress)
      await updateUser(tx, user, { emailAddress })
      await voidTokens(tx, user.id, ['confirm', 'reset'])
      await recordAct(tx, { act: 'email.changed', userId, ip })
    })
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_address'))
      throw invalid({ token: 'is for an address that another account has' })
    throw error
  }
}
