import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** What went wrong before the page could do anything about it, for the page to tell. */
export interface Failed {
  message: string
  requestId: string
}

export type SendShell = (
  reply: FastifyReply,
  status: number,
  also?: { formActions?: string[]; failed?: Failed },
) => FastifyReply

export interface Dashboard {
  sendShell: SendShell
  serveFiles(app: FastifyInstance): void
}

/** The built dashboard: hashed assets for ever, and its one page for every other address. */
export function openDashboard(folder: string, pictures: readonly string[]): Dashboard {
  const page = join(folder, 'index.html')
  const isBuilt = existsSync(page)
  const html = isBuilt ? readFileSync(page, 'utf8') : 'The dashboard has not been built: run npm run prepare.'
  const sendShell: SendShell = (reply, status, { formActions = [], failed } = {}) =>
    reply
      .status(status)
      .headers({
        'content-security-policy': contentPolicy(formActions, pictures),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      })
      .type('text/html; charset=utf-8')
      .send(failed ? html.replace('<head>', () => `<head>${told(failed)}`) : html)

  return {
    sendShell,
    serveFiles: (app) => {
      if (isBuilt) app.register(fastifyStatic, filesIn(folder))
    },
  }
}

function filesIn(folder: string): FastifyStaticOptions {
  return {
    root: folder,
    index: false,
    // Each file by its name: a wildcard answers folders, the root among them, with an error of its own.
    wildcard: false,
    // The page itself always comes with its policy; compressed forms are sent in the place of their file.
    globIgnore: ['index.html', '**/*.br', '**/*.gz'],
    preCompressed: true,
    decorateReply: false,
    setHeaders: (response, path) => {
      const isHashed = path.includes('/assets/')
      response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  }
}

/** As meta elements: the page's policy allows no inline script. */
function told({ message, requestId }: Failed): string {
  return `<meta name="failure" content="${escaped(message)}" data-request-id="${escaped(requestId)}" />`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** Pictures from where a store's page has them too: a preview is under this policy. */
function contentPolicy(formActions: string[], pictures: readonly string[]): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${["'self' data: blob:", ...pictures].join(' ')}`,
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${["'self'", ...formActions].join(' ')}`,
  ].join('; ')
}
