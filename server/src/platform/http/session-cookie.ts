import type { FastifyReply, FastifyRequest } from 'fastify'

const plainName = 'keystall_session'
const secureName = '__Host-keystall_session'
const maxAgeSeconds = 30 * 24 * 3600

/** Undefined when there is none, or more than one: a second cookie of the name was set by somebody else. */
export function sessionToken(request: FastifyRequest): string | undefined {
  const header = request.headers.cookie ?? ''
  const tokens = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${plainName}=`) || pair.startsWith(`${secureName}=`))
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
  return tokens.length === 1 ? tokens[0] : undefined
}

export function setSessionCookie(reply: FastifyReply, token: string, isSecure: boolean): void {
  reply.header('set-cookie', cookie(token, maxAgeSeconds, isSecure))
}

export function clearSessionCookie(reply: FastifyReply, isSecure: boolean): void {
  reply.header('set-cookie', cookie('', 0, isSecure))
}

function cookie(token: string, ageSeconds: number, isSecure: boolean): string {
  const name = isSecure ? secureName : plainName
  return `${name}=${token}; Path=/; Max-Age=${ageSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}
