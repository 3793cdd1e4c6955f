import type { ProfileForm, SignUpForm } from '@keystall/contract/endpoints/account'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { isUniqueViolation, transact } from '#platform/db/transaction'
import { isMailAddress } from '#platform/mail/address'
import { checkWebhookUrl } from '#platform/outbound/address'
import type { Platform } from '#platform/platform'
import { newToken } from '#platform/secrets/tokens'
import { conflict, invalid, notFound } from '#problem'
import { recordAct } from './audit.ts'
import { mailConfirmationLater, mailKnownAddressLater } from './mails.ts'
import { hashPassword, refuseWeakPassword } from './password.ts'
import {
  findUser,
  findUserByReferralCode,
  insertUser,
  isUserNameTaken,
  registerUser,
  selectUserByEmail,
  setConfirmed,
  updateUser,
} from './queries.ts'
import { beginSession, type Visitor } from './session.ts'
import type { UserRow } from './tables.ts'
import { spendToken } from './token.ts'

/** What an operator gives to make an account by hand. */
export interface UserForm {
  emailAddress: string
  userName: string
  password: string
  isStaff: boolean
  isConfirmed: boolean
}

export async function createUser(tx: Tx, form: UserForm): Promise<UserRow> {
  if (!isMailAddress(form.emailAddress)) throw invalid({ emailAddress: 'must be an e-mail address' })
  if (!/^[\w.-]{3,32}$/.test(form.userName)) throw invalid({ userName: 'must have 3 to 32 letters, digits, _ . or -' })
  refuseWeakPassword(form.password, form)
  const known = await findUserByEmail(tx, form.emailAddress)
  if (known) throw conflict('another account has this e-mail address')
  if (await isUserNameTaken(tx, form.userName)) throw conflict('another account has this user name')
  const user = await insertUser(tx, {
    ...(await newUser(form)),
    isStaff: form.isStaff,
    emailConfirmedAt: form.isConfirmed ? new Date() : null,
  })
  await recordAct(tx, { act: 'account.created', userId: user.id, details: { isStaff: form.isStaff } })
  return user
}

/** The answer is the same for a known address: its owner gets a mail that says so. */
export async function signUp(platform: Platform, form: Required<SignUpForm>, visitor: Visitor): Promise<void> {
  refuseWeakPassword(form.password, form)
  const user = await newUser(form)
  await transact(platform.db, async (tx) => {
    if (await isUserNameTaken(tx, form.userName)) throw invalid({ userName: 'is already taken' })
    const referrer = form.referralCode ? await findUserByReferralCode(tx, form.referralCode) : undefined
    const registered = await registerUser(tx, { ...user, referredBy: referrer?.id ?? null })
    if (!registered) {
      await mailKnownAddressLater(tx, platform, form.emailAddress)
      return
    }
    await recordAct(tx, { act: 'account.registered', userId: registered.id, ip: visitor.ip })
    await mailConfirmationLater(tx, platform, registered)
  })
}

/** Of an address that a link has proven. */
export async function registerConfirmed(
  tx: Tx,
  form: { emailAddress: string; userName: string; password: string },
  visitor: Visitor,
): Promise<UserRow> {
  refuseWeakPassword(form.password, form)
  if (await isUserNameTaken(tx, form.userName)) throw invalid({ userName: 'is already taken' })
  const registered = await registerUser(tx, { ...(await newUser(form)), referredBy: null })
  if (!registered) throw conflict('This address has an account: sign in with it')
  await recordAct(tx, { act: 'account.registered', userId: registered.id, ip: visitor.ip })
  return confirmAddress(tx, registered)
}

async function newUser(form: { emailAddress: string; userName: string; password: string }) {
  return {
    id: newId(),
    emailAddress: form.emailAddress,
    userName: form.userName,
    passwordHash: await hashPassword(form.password),
    referralCode: newToken(48),
  }
}

export async function resendConfirmation(platform: Platform, emailAddress: string): Promise<void> {
  const user = await findUserByEmail(platform.db, emailAddress)
  if (!user || user.emailConfirmedAt) return
  await transact(platform.db, (tx) => mailConfirmationLater(tx, platform, user))
}

/** Confirming signs in: whoever reads the mail owns the address, and has just chosen the password. */
export async function confirmAccount(
  db: Db,
  token: string,
  visitor: Visitor,
): Promise<{ user: UserRow; token: string }> {
  const confirm = () =>
    transact(db, async (tx) => {
      const { userId } = await spendToken(tx, token, 'confirm')
      const user = await loadUser(tx, userId)
      // A confirmed account may have a second factor, which a link must not skip.
      if (user.emailConfirmedAt || user.disabledAt) throw invalid({ token: 'is used, too old or incomplete' })
      const confirmed = await confirmAddress(tx, user)
      await recordAct(tx, { act: 'account.confirmed', userId, ip: visitor.ip })
      return { user: confirmed, token: await beginSession(tx, confirmed, visitor) }
    })
  // Two people who chose one name confirm at the same moment: the second look sees the first one's.
  return confirm().catch((error) => {
    if (isUniqueViolation(error, 'users_user_name')) return confirm()
    throw error
  })
}

export async function confirmAddress(tx: Tx, user: UserRow): Promise<UserRow> {
  if (user.emailConfirmedAt) return user
  const isTaken = await isUserNameTaken(tx, user.userName)
  return setConfirmed(tx, user, isTaken ? alternative(user.userName) : user.userName)
}

/** Somebody confirmed the same name first. It can be changed in the profile. */
function alternative(userName: string): string {
  return `${userName.slice(0, 25)}-${newToken(40)
    .replace(/[^a-zA-Z0-9]/g, '0')
    .slice(0, 6)}`
}

/** In any case: nobody has two accounts under one address. */
export function findUserByEmail(db: Db, emailAddress: string): Promise<UserRow | undefined> {
  return selectUserByEmail(db, emailAddress)
}

export async function loadUser(db: Db, id: string): Promise<UserRow> {
  const user = await findUser(db, id)
  if (!user) throw notFound('user')
  return user
}

export async function updateProfile(platform: Platform, userId: string, form: Required<ProfileForm>): Promise<UserRow> {
  const reason = form.chatWebhookUrl === null ? undefined : checkWebhookUrl(form.chatWebhookUrl, addressRules(platform))
  if (reason) throw invalid({ chatWebhookUrl: reason })
  const { userName, allowMarketplace, chatWebhookUrl } = form
  try {
    return await transact(platform.db, async (tx) =>
      updateUser(tx, await loadUser(tx, userId), { userName, allowMarketplace, chatWebhookUrl }),
    )
  } catch (error) {
    if (isUniqueViolation(error, 'users_user_name')) throw invalid({ userName: 'is already taken' })
    throw error
  }
}

function addressRules({ config }: Platform) {
  return { allowCidrs: config.webhookAllowCidrs, ownHosts: [config.apiUrl.host, config.dashUrl.host] }
}
