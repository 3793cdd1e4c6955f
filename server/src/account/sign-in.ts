import type { SignInForm } from '@keystall/contract/endpoints/account'
import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import { hashToken } from '#platform/secrets/tokens'
import { invalid, Problem, unauthorized } from '#problem'
import { recordAct } from './audit.ts'
import { findUserByEmail, loadUser } from './account.ts'
import { knownDevice, newDevice } from './device.ts'
import { isPassword } from './password.ts'
import { takeToken, takeTokenTry } from './token-queries.ts'
import { beginSession, type Visitor } from './session.ts'
import type { UserRow } from './tables.ts'
import { makeToken } from './token.ts'
import { codeTries, forgetTries, passwordTries, takeTry } from './tries.ts'
import { isCodeTaken } from './two-factor.ts'

/** A browser, with what it kept of an earlier sign-in. */
export interface Browser extends Visitor {
  device: string | undefined
}

export type SignedIn = { sessionToken: string; device: string }
export type HalfSignedIn = { factorToken: string }

const codeTriesMax = 5

/** Unknown address and wrong password read the same and take the same time. */
export async function signIn(platform: Platform, form: SignInForm, browser: Browser): Promise<SignedIn | HalfSignedIn> {
  const { db, secrets } = platform
  const device = knownDevice(secrets, browser.device, form.emailAddress)
  const tries = device === undefined ? `password:${form.emailAddress.toLowerCase()}` : `device:${device}`
  await takeTry(db, tries, passwordTries)

  const user = await findUserByEmail(db, form.emailAddress)
  const isRight = await isPassword(user?.passwordHash, form.password)
  if (!user || !isRight) throw unauthorized('The e-mail address or the password is wrong')
  await forgetTries(db, tries)
  refuseUnusable(user)

  return transact(db, async (tx) => {
    if (user.totpEnabledAt) return { factorToken: await makeToken(tx, user, 'second-factor') }
    return finish(platform, tx, user, browser)
  })
}

/** There is no session before the second factor; the half-done sign-in is good for five minutes and five tries. */
export async function signInWithCode(
  platform: Platform,
  factorToken: string | undefined,
  code: string,
  browser: Browser,
): Promise<SignedIn> {
  const { db } = platform
  const tokenHash = hashToken(factorToken ?? '')
  const half = await transact(db, (tx) => takeTokenTry(tx, tokenHash, 'second-factor', codeTriesMax))
  if (!half) throw unauthorized('This sign-in took too long or too many tries: begin again')
  await takeTry(db, `code:${half.userId}`, codeTries)

  const signedIn = await transact(db, async (tx) => {
    const user = await loadUser(tx, half.userId)
    refuseUnusable(user)
    if (!(await isCodeTaken(tx, platform, user, code))) return undefined
    if (!(await takeToken(tx, tokenHash, 'second-factor'))) return undefined
    return finish(platform, tx, user, browser)
  })
  if (!signedIn) throw invalid({ code: 'is wrong or was used before' })
  await forgetTries(db, `code:${half.userId}`)
  return signedIn
}

/** Said only to somebody who knows the password. */
function refuseUnusable(user: UserRow): void {
  if (user.disabledAt)
    throw new Problem('AccessDenied', 'This account is switched off: write to whoever runs this site')
  if (!user.emailConfirmedAt) throw new Problem('AccessDenied', 'Confirm your e-mail address first: we sent you a link')
}

async function finish(
  platform: Platform,
  tx: Parameters<typeof beginSession>[0],
  user: UserRow,
  visitor: Visitor,
): Promise<SignedIn> {
  await recordAct(tx, { act: 'session.begun', userId: user.id, ip: visitor.ip })
  return {
    sessionToken: await beginSession(tx, user, visitor),
    device: newDevice(platform.secrets, user.emailAddress),
  }
}
