import type { FastifyReply } from 'fastify'
import { type CookieKind, setCookie } from '#platform/http/cookies'
import { setSessionCookie } from '#platform/http/session-cookie'
import type { Platform } from '#platform/platform'
import type { SignedIn } from './sign-in.ts'

export const deviceCookie: CookieKind = {
  name: 'keystall_device',
  maxAgeSeconds: 400 * 24 * 3600,
  sameSite: 'Strict',
}

/** The browser is signed in, and known from now on. */
export function rememberSession(platform: Platform, reply: FastifyReply, { sessionToken, device }: SignedIn): void {
  setSessionCookie(reply, sessionToken, isSecure(platform))
  setCookie(reply, deviceCookie, device, isSecure(platform))
}

export function isSecure({ config }: Platform): boolean {
  return config.dashUrl.protocol === 'https:'
}
