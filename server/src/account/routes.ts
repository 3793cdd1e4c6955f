import * as contract from '@keystall/contract/endpoints/account'
import type { FastifyRequest } from 'fastify'
import { transact } from '#platform/db/transaction'
import { clearCookie, type CookieKind, readCookie, setCookie } from '#platform/http/cookies'
import { implement, type Implementation, ok } from '#platform/http/implement'
import { clearSessionCookie, sessionToken, setSessionCookie } from '#platform/http/session-cookie'
import type { Platform } from '#platform/platform'
import { selectAccount } from '#views/account'
import { confirmAccount, resendConfirmation, signUp, updateProfile } from './account.ts'
import {
  changeEmail,
  changePassword,
  confirmEmail,
  forgetPassword,
  resetPassword,
  type RevokeKeys,
} from './credentials.ts'
import { newDevice } from './device.ts'
import { inEvenTime } from './even-time.ts'
import { deleteSession } from './session-queries.ts'
import { deviceCookie, isSecure, rememberSession } from './remembering-pages.ts'
import { sessionRoutes } from './session-routes.ts'
import { signIn, signInWithCode } from './sign-in.ts'
import { twoFactorRoutes } from './two-factor-routes.ts'

const factorCookie: CookieKind = { name: 'keystall_sign_in', maxAgeSeconds: 5 * 60, sameSite: 'Strict' }

export const accountRoutes = (revokeKeys: RevokeKeys): Implementation[] => [
  implement(contract.signUp, async ({ platform, body, visit }) => {
    platform.limits.takeAttempt(visit.ip)
    await inEvenTime(signUp(platform, body, visit))
    return ok(null, 'Look into your mail: we sent you a link')
  }),

  implement(contract.confirmAccount, async ({ db, platform, body, visit, reply }) => {
    platform.limits.takeAttempt(visit.ip)
    const { user, token } = await confirmAccount(db, body.token, visit)
    const device = newDevice(platform.secrets, user.emailAddress)
    rememberSession(platform, reply, { sessionToken: token, device })
    return ok(await selectAccount(db, platform.config, user.id), 'Your e-mail address is confirmed')
  }),

  implement(contract.resendConfirmation, async ({ platform, body, visit }) => {
    platform.limits.takeAttempt(visit.ip)
    await inEvenTime(resendConfirmation(platform, body.emailAddress))
    return ok(null, 'Look into your mail: if the address waits to be confirmed, we sent a new link')
  }),

  implement(contract.signIn, async ({ platform, body, visit, request, reply }) => {
    platform.limits.takeAttempt(visit.ip)
    const signedIn = await signIn(platform, body, browser(platform, request, visit))
    if ('factorToken' in signedIn) {
      setCookie(reply, factorCookie, signedIn.factorToken, isSecure(platform))
      return ok({ isTwoFactorRequired: true }, 'A code is still needed')
    }
    rememberSession(platform, reply, signedIn)
    return ok({ isTwoFactorRequired: false }, 'You are signed in')
  }),

  implement(contract.signInWithCode, async ({ platform, body, visit, request, reply }) => {
    platform.limits.takeAttempt(visit.ip)
    const factorToken = readCookie(request, factorCookie, isSecure(platform))
    const signedIn = await signInWithCode(platform, factorToken, body.code, browser(platform, request, visit))
    clearCookie(reply, factorCookie, isSecure(platform))
    rememberSession(platform, reply, signedIn)
    return ok(null, 'You are signed in')
  }),

  implement(contract.signOut, async ({ db, platform, caller, reply }) => {
    await transact(db, (tx) => deleteSession(tx, caller))
    clearSessionCookie(reply, isSecure(platform))
    return ok(null, 'You are signed out')
  }),

  implement(contract.forgetPassword, async ({ platform, body, visit }) => {
    platform.limits.takeAttempt(visit.ip)
    await inEvenTime(forgetPassword(platform, body.emailAddress))
    return ok(null, 'Look into your mail: if the address has an account, we sent a link')
  }),

  implement(contract.resetPassword, async ({ platform, body, visit, reply }) => {
    platform.limits.takeAttempt(visit.ip)
    const user = await resetPassword(platform, body, { ip: visit.ip, revokeKeys })
    clearSessionCookie(reply, isSecure(platform))
    // Whoever reads the mail is the owner, and must get past strangers who guess.
    setCookie(reply, deviceCookie, newDevice(platform.secrets, user.emailAddress), isSecure(platform))
    return ok(null, 'Your new password is set: sign in with it')
  }),

  implement(contract.getAccount, async ({ db, platform, caller, request, reply }) => {
    const token = sessionToken(request, isSecure(platform))
    // The session's end slides in the database; here the cookie's does.
    if (token) setSessionCookie(reply, token, isSecure(platform))
    return ok(await selectAccount(db, platform.config, caller.userId))
  }),

  implement(contract.updateProfile, async ({ db, platform, caller, body }) => {
    await updateProfile(platform, caller.userId, body)
    return ok(await selectAccount(db, platform.config, caller.userId), 'Your profile is saved')
  }),

  implement(contract.changeEmail, async ({ db, platform, caller, body }) => {
    await changeEmail(platform, caller.userId, body)
    return ok(await selectAccount(db, platform.config, caller.userId), 'Look into your mail at the new address')
  }),

  implement(contract.confirmEmail, async ({ platform, body, visit }) => {
    platform.limits.takeAttempt(visit.ip)
    await confirmEmail(platform, body.token, visit.ip)
    return ok(null, 'Your new e-mail address is confirmed')
  }),

  implement(contract.changePassword, async ({ platform, caller, body, visit }) => {
    await changePassword(platform, caller, body, { ip: visit.ip, revokeKeys })
    return ok(null, 'Your new password is set')
  }),

  ...sessionRoutes,
  ...twoFactorRoutes,
]

function browser(platform: Platform, request: FastifyRequest, visit: { ip: string; userAgent: string }) {
  return { ...visit, device: readCookie(request, deviceCookie, isSecure(platform)) }
}
