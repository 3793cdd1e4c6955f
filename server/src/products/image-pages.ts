import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Platform } from '#platform/platform'
import { invalid, notFound } from '#problem'
import { imageKeys, isImageName, thumbnailWidthOf } from './image-name.ts'

const contentTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
}

/** Pictures under `/images`, on whichever host; `?width=` asks for a thumbnail. A name always means the same bytes. */
export function serveImages(app: FastifyInstance, { storage }: Pick<Platform, 'storage'>): void {
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/images/:name',
    config: { route: '/images/{name}' },
    handler: async (request, reply) => {
      const { name } = request.params
      const key = isImageName(name) ? keyFor(name, request) : undefined
      const found = key === undefined ? undefined : await storage.read(key)
      if (key === undefined || !found) throw notFound('image')
      reply.headers({
        'content-type': contentTypes[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
        'content-length': found.bytes,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        vary: 'Accept',
      })
      if (request.method !== 'HEAD') return reply.send(found.stream)
      found.stream.destroy()
      return reply.send()
    },
  })
}

/** Thumbnails are WebP; who does not take it gets the picture itself. */
function keyFor(name: string, request: FastifyRequest): string {
  const text: unknown = Object(request.query)['width']
  const { whole, thumbnails } = imageKeys(name)
  if (text === undefined) return whole
  const width = thumbnailWidthOf(String(text))
  if (width === undefined) throw invalid({ width: `must be one of ${Object.keys(thumbnails).join(', ')}` })
  return takesWebp(request.headers.accept) ? thumbnails[width] : whole
}

/** Old browsers name the kinds they take; programs that take anything do not. */
function takesWebp(accept = '*/*'): boolean {
  return accept.includes('image/webp') || (accept.includes('*/*') && !accept.includes('image/'))
}
