import { randomBytes } from 'node:crypto'
import type { Tx } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import { open, seal } from '#platform/secrets/seal'
import { hashToken } from '#platform/secrets/tokens'
import { conflict, invalid } from '#problem'
import { loadUser } from './account.ts'
import { recordAct } from './audit.ts'
import { mailTwoFactorLater } from './mails.ts'
import { replaceRecoveryCodes, takeRecoveryCode, takeTotpStep, updateUser } from './queries.ts'
import type { UserRow } from './tables.ts'
import { codeTries, forgetTries, takeTry } from './tries.ts'

const stepSeconds = 30
const recoveryCodesMade = 10
const recoveryCodeBytes = 10

/** Nothing is asked for at sign-in until a first code has proved that the authenticator app has the secret. */
export async function beginTwoFactor(tx: Tx, { secrets }: Platform, user: UserRow) {
  if (user.totpEnabledAt) throw conflict('Two-factor is on already')
  // Few people are here at any time: these are not part of every start.
  const { generateSecret, generateURI } = await import('otplib')
  const { default: QRCode } = await import('qrcode')
  const secret = generateSecret()
  const uri = generateURI({ issuer: 'Keystall', label: user.emailAddress, secret })
  const totpSecret = seal(secrets.derive('totp'), secret, user.id)
  await updateUser(tx, user, { totpSecret })
  return { secret, uri, qrCode: await QRCode.toString(uri, { type: 'svg', margin: 0 }) }
}

export async function enableTwoFactor(platform: Platform, userId: string, code: string): Promise<string[]> {
  await takeTry(platform.db, `code:${userId}`, codeTries)
  const recoveryCodes = await transact(platform.db, async (tx) => {
    const user = await loadUser(tx, userId)
    if (user.totpEnabledAt) throw conflict('Two-factor is on already')
    if (!user.totpSecret) throw conflict('Begin with the secret for the authenticator app')
    if (!(await isTotpTaken(tx, platform, user, code))) throw invalid({ code: 'is wrong' })
    const enabled = await updateUser(tx, user, { totpEnabledAt: new Date() })
    await recordAct(tx, { act: 'two-factor.enabled', userId })
    await mailTwoFactorLater(tx, platform, enabled, true)
    return makeRecoveryCodes(tx, enabled)
  })
  await forgetTries(platform.db, `code:${userId}`)
  return recoveryCodes
}

export async function disableTwoFactor(tx: Tx, platform: Platform, user: UserRow): Promise<void> {
  if (!user.totpEnabledAt) throw conflict('Two-factor is off already')
  await updateUser(tx, user, { totpSecret: null, totpEnabledAt: null })
  await replaceRecoveryCodes(tx, user, [])
  await recordAct(tx, { act: 'two-factor.disabled', userId: user.id })
  await mailTwoFactorLater(tx, platform, user, false)
}

export async function renewRecoveryCodes(tx: Tx, user: UserRow): Promise<string[]> {
  if (!user.totpEnabledAt) throw conflict('Two-factor is off')
  await recordAct(tx, { act: 'two-factor.recovery-codes-renewed', userId: user.id })
  return makeRecoveryCodes(tx, user)
}

/** The codes are shown once; only their hashes are kept. */
async function makeRecoveryCodes(tx: Tx, user: UserRow): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesMade }, () => {
    const text = randomBytes(recoveryCodeBytes).toString('hex')
    return (text.match(/.{5}/g) ?? []).join('-')
  })
  await replaceRecoveryCodes(tx, user, codes.map(recoveryHash))
  return codes
}

/** Takes a code of the authenticator app or a recovery code, each of which is good once. */
export async function isCodeTaken(tx: Tx, platform: Platform, user: UserRow, code: string): Promise<boolean> {
  if (/^\d{6}$/.test(code.replaceAll(' ', ''))) return isTotpTaken(tx, platform, user, code)
  const taken = await takeRecoveryCode(tx, user, recoveryHash(code))
  if (taken) await recordAct(tx, { act: 'two-factor.recovery-code-used', userId: user.id })
  return taken !== undefined
}

async function isTotpTaken(tx: Tx, { secrets }: Platform, user: UserRow, code: string): Promise<boolean> {
  if (!user.totpSecret) return false
  const token = code.replaceAll(' ', '')
  if (!/^\d{6}$/.test(token)) return false
  const secret = open(secrets.derive('totp'), user.totpSecret, user.id)
  const { verifySync } = await import('otplib')
  // One step to either side, for clocks that are a little off.
  const result = verifySync({ secret, token, strategy: 'totp', period: stepSeconds, epochTolerance: stepSeconds })
  if (!result.valid || !('timeStep' in result)) return false
  return (await takeTotpStep(tx, user, result.timeStep)) !== undefined
}

function recoveryHash(code: string): Buffer {
  return hashToken(code.toLowerCase().replace(/[^0-9a-f]/g, ''))
}
