import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#config'
import { Problem } from '#problem'

const formType = 'application/x-www-form-urlencoded'
const formBytesMax = 256 * 1024

/** What a page's form sends. */
export function readForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: formBytesMax }, (_request, body, done) =>
    done(null, String(body)),
  )
}

export function formOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '')
}

/** A form writes line breaks as CR LF; texts are kept as they were typed. */
export function textOf(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').replaceAll('\r\n', '\n')
}

/** A basket is changed by the store's own pages: the cookie alone proves nothing. */
export function refuseForeignOrigin(request: FastifyRequest, { storeScheme }: Pick<Config, 'storeScheme'>): void {
  const site = request.headers['sec-fetch-site']
  const isOwn =
    site === undefined ? request.headers.origin === `${storeScheme}//${request.host}` : site === 'same-origin'
  if (!isOwn) throw new Problem('AccessDenied', 'This is only taken from the store’s own pages')
}
