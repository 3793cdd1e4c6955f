import type { FastifyReply, FastifyRequest } from 'fastify'

export interface CookieKind {
  name: string
  maxAgeSeconds: number
  sameSite: 'Lax' | 'Strict'
}

/**
 * Undefined when there is none, or more than one: a second cookie of the name was set by somebody else. On https only
 * the name that the browser guards counts: the other could come from a store beside us. Left out, either name does, for
 * what opens nothing.
 */
export function readCookie(request: FastifyRequest, { name }: CookieKind, isSecure?: boolean): string | undefined {
  const names = [...(isSecure === true ? [] : [name]), ...(isSecure === false ? [] : [`__Host-${name}`])]
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => names.some((known) => pair.startsWith(`${known}=`)))
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
  return values.length === 1 ? values[0] : undefined
}

export function setCookie(reply: FastifyReply, kind: CookieKind, value: string, isSecure: boolean): void {
  reply.header('set-cookie', cookie(kind, value, kind.maxAgeSeconds, isSecure))
}

export function clearCookie(reply: FastifyReply, kind: CookieKind, isSecure: boolean): void {
  reply.header('set-cookie', cookie(kind, '', 0, isSecure))
}

/** Without a domain, for one host alone; on https the name itself holds the browser to that. */
function cookie({ name, sameSite }: CookieKind, value: string, ageSeconds: number, isSecure: boolean): string {
  const [prefix, secure] = isSecure ? ['__Host-', '; Secure'] : ['', '']
  return `${prefix}${name}=${value}; Path=/; Max-Age=${ageSeconds}; HttpOnly; SameSite=${sameSite}${secure}`
}
