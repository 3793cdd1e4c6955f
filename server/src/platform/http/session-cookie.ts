import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearCookie, type CookieKind, readCookie, setCookie } from './cookies.ts'

const sessionCookie: CookieKind = { name: 'keystall_session', maxAgeSeconds: 30 * 24 * 3600, sameSite: 'Lax' }

export function sessionToken(request: FastifyRequest, isSecure: boolean): string | undefined {
  return readCookie(request, sessionCookie, isSecure)
}

export function setSessionCookie(reply: FastifyReply, token: string, isSecure: boolean): void {
  setCookie(reply, sessionCookie, token, isSecure)
}

export function clearSessionCookie(reply: FastifyReply, isSecure: boolean): void {
  clearCookie(reply, sessionCookie, isSecure)
}
