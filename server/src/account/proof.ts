import type { Tx } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import { invalid } from '#problem'
import { loadUser } from './account.ts'
import { isPassword } from './password.ts'
import type { UserRow } from './tables.ts'
import { codeTries, forgetTries, passwordTries, takeTry } from './tries.ts'
import { isCodeTaken } from './two-factor.ts'

/** Password, and code where two-factor is on, given again: an old session alone does not do what cannot be undone. */
export interface Proof {
  password: string
  code: string | null
  /** How the form calls the password. */
  passwordField?: string
}

/** Runs the change in the transaction that takes the code; a wrong proof changes nothing. */
export async function withProof<T>(
  platform: Platform,
  userId: string,
  proof: Proof,
  change: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  const { db } = platform
  await takeTry(db, `proof:${userId}`, passwordTries)
  const { passwordHash, totpEnabledAt } = await loadUser(db, userId)
  if (!(await isPassword(passwordHash, proof.password)))
    throw invalid({ [proof.passwordField ?? 'password']: 'is wrong' })
  await forgetTries(db, `proof:${userId}`)
  if (totpEnabledAt && proof.code === null) throw invalid({ code: 'is required' })
  if (totpEnabledAt) await takeTry(db, `code:${userId}`, codeTries)

  const result = await transact(db, async (tx) => {
    const user = await loadUser(tx, userId)
    if (user.totpEnabledAt && !(await isCodeTaken(tx, platform, user, proof.code ?? ''))) {
      throw invalid({ code: 'is wrong or was used before' })
    }
    return change(tx, user)
  })
  if (totpEnabledAt) await forgetTries(db, `code:${userId}`)
  return result
}
