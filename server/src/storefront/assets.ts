import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { noColours, paletteCss } from '@keystall/storefront/palette'
import type { Assets } from '@keystall/storefront/shop'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { projectFolder } from '#config'
import { takesEncoding } from '#platform/http/encodings'
import { notFound } from '#problem'

interface Asset {
  path: string
  type: string
  body: Buffer
  gzip: () => Buffer
  brotli: () => Buffer
}

const folder = join(projectFolder, 'storefront/assets')

const style = asset('store.css', 'text/css; charset=utf-8', paletteCss(noColours))
const script = asset('store.js', 'text/javascript; charset=utf-8')
const mark = asset('mark.svg', 'image/svg+xml')
const embed = asset('embed.js', 'text/javascript; charset=utf-8')
const byPath = new Map([style, script, mark].map((each) => [each.path, each]))

export const sharedAssets: Assets = { style: style.path, script: script.path, mark: mark.path, theme: null }

/** Under names that hold their content's hash: whoever has one never asks again. */
export function serveAssets(app: FastifyInstance): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/assets/:name',
    config: { route: '/assets/{name}' },
    handler: async (request, reply) => {
      const found = byPath.get(request.url.split('?', 1)[0] ?? '')
      if (!found) throw notFound('asset')
      const { encoding, body } = encodingFor(found, request)
      reply.headers({
        'content-type': found.type,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        vary: 'Accept-Encoding',
        ...(encoding ? { 'content-encoding': encoding } : {}),
      })
      return reply.send(request.method === 'HEAD' ? undefined : body)
    },
  })
}

/** The script that sellers put on their own sites; its address stays, so it is asked for again each hour. */
export function serveEmbedScript(app: FastifyInstance): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/embed.js',
    config: { route: '/embed.js' },
    handler: async (request, reply) => {
      const { encoding, body } = encodingFor(embed, request)
      reply.headers({
        'content-type': embed.type,
        'cache-control': 'public, max-age=3600',
        'cross-origin-resource-policy': 'cross-origin',
        vary: 'Accept-Encoding',
        ...(encoding ? { 'content-encoding': encoding } : {}),
      })
      return reply.send(request.method === 'HEAD' ? undefined : body)
    },
  })
}

function asset(name: string, type: string, before = ''): Asset {
  const body = Buffer.from(before + readFileSync(join(folder, name), 'utf8'))
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12)
  const path = `/assets/${name.replace('.', `-${hash}.`)}`
  return {
    path,
    type,
    body,
    gzip: once(() => gzipSync(body, { level: 9 })),
    brotli: once(() => brotliCompressSync(body)),
  }
}

/** When it is first asked for: the start does not wait for it. */
function once(make: () => Buffer): () => Buffer {
  let made: Buffer | undefined
  return () => (made ??= make())
}

function encodingFor({ body, gzip, brotli }: Asset, request: FastifyRequest) {
  if (takesEncoding(request.headers, 'br')) return { encoding: 'br', body: brotli() }
  if (takesEncoding(request.headers, 'gzip')) return { encoding: 'gzip', body: gzip() }
  return { encoding: undefined, body }
}
