import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Html } from '@keystall/storefront/html'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config'
import { takesEncoding } from '#platform/http/encodings'

const gzipLater = promisify(gzip)
const worthCompressing = 1000
/** The language comes from one, the basket and the chosen language from the other. */
const pageVary = 'Accept-Encoding, Accept-Language, Cookie'

export interface Sending {
  status?: number
  /** Pages that hold an order's key: kept by nobody, told to nobody. */
  isSecret?: boolean
  /** Whether other sites may show it in a frame. */
  isFramable?: boolean
}

/** Only our own style, script and pictures, and none of them inside the page. */
export function contentPolicy(
  { apiUrl, imageHosts }: Pick<Config, 'apiUrl' | 'imageHosts'>,
  { isFramable = false } = {},
): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    `img-src ${["'self'", ...imageHosts.map((host) => `${apiUrl.protocol}//${host}`)].join(' ')}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${isFramable ? 'http: https:' : "'none'"}`,
  ].join('; ')
}

export interface Sender {
  request: FastifyRequest
  reply: FastifyReply
  config: Pick<Config, 'apiUrl' | 'imageHosts'>
}

export async function sendPage(
  sender: Sender,
  page: Html,
  { status = 200, isSecret = false, isFramable = false }: Sending = {},
): Promise<FastifyReply> {
  const { request, reply, config } = sender
  reply.status(status).headers(pageHeaders(config, { isSecret, isFramable }))
  return sendText(request, reply, page.text, { isCompressed: !isSecret, vary: pageVary })
}

export async function finishPage(page: Html, isCompressed: boolean): Promise<Buffer> {
  return isCompressed ? gzipLater(page.text) : Buffer.from(page.text)
}

export function pageHeaders(
  config: Sender['config'],
  { isSecret = false, isFramable = false, isCompressed = false },
): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    vary: pageVary,
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    'content-security-policy': contentPolicy(config, { isFramable }),
    // On a page with a key not even our own pages are told where the visitor came from.
    'referrer-policy': isSecret ? 'no-referrer' : 'same-origin',
    'cache-control': isSecret ? 'private, no-store' : 'private, no-cache',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'cross-origin-opener-policy': 'same-origin',
  }
}

/** What holds a secret beside words of others is sent as it is: its compressed size would tell. */
export async function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  { isCompressed = true, vary = 'Accept-Encoding' } = {},
): Promise<FastifyReply> {
  reply.header('vary', vary)
  if (request.method === 'HEAD') return reply.send()
  if (!isCompressed || !takesEncoding(request.headers, 'gzip') || text.length < worthCompressing)
    return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(await gzipLater(text))
}
