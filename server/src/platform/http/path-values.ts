import type { Endpoint } from '@keystall/contract/endpoint'
import { pathTokens } from '@keystall/contract/path'
import type { FastifyRequest } from 'fastify'
import { isUuid } from '#platform/db/ids'
import { applicationNotFound, invalid, notFound } from '#problem'
import { compile } from './validation.ts'

const things: Record<string, string> = {
  groupId: 'product group',
  faqId: 'FAQ entry',
  appId: 'application',
  keyId: 'API key',
}

/** How a refusal names what a token stands for. */
export function thingNamed(token: string): string {
  return things[token] ?? token.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

const tokensByPath = new Map<string, string[]>()

export function tokensOf(path: string): string[] {
  const known = tokensByPath.get(path)
  if (known) return known
  const tokens = [...path.matchAll(/\{(\w+)\}/g)].map(([, token]) => token ?? '')
  tokensByPath.set(path, tokens)
  return tokens
}

/** `{page}` alone gets an expression: the router refuses two at one position, and calls a UUID's unsafe. */
export function routerPath(path: string): string {
  return path.replaceAll('{page}', ':page(^-?\\d+$)').replace(/\{(\w+)\}/g, ':$1')
}

/** An id that is not one is unknown. What else may be wrong in a path is checked with the rest of the request. */
export function pathValues(endpoint: Endpoint, request: FastifyRequest): Record<string, string> {
  const values: Record<string, string> = {}
  for (const token of tokensOf(endpoint.path)) {
    const text: unknown = Object(request.params)[token]
    if (typeof text !== 'string') continue
    if (token === 'appId' && !isUuid(text)) throw applicationNotFound()
    if (token.endsWith('Id') && !isUuid(text)) throw notFound(thingNamed(token))
    if (token === 'page' && /^-?0\d/.test(text)) throw notFound('page')
    values[token] = text
  }
  return values
}

/** Pages beyond every end are the same empty page; this keeps their number exact. */
const pageMax = 2 ** 40

export function checkedPathValues(endpoint: Endpoint, request: FastifyRequest): Record<string, string | number> {
  const values: Record<string, string | number> = pathValues(endpoint, request)
  const fields: Record<string, string> = {}
  for (const [token, text] of Object.entries(values)) {
    if (token === 'page') {
      const page = Number(text)
      if (page < 1) fields['page'] = 'must be at least 1'
      values['page'] = Math.min(page, pageMax)
    } else if (typeof text === 'string' && !isStorable(text)) {
      fields[token] = 'contains characters that cannot be used'
    } else if (!token.endsWith('Id') && !fits(token, text)) {
      fields[token] = Object(schemaOf(token))['reason'] ?? 'has the wrong form'
    }
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return values
}

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

function schemaOf(token: string) {
  const known: Record<string, (typeof pathTokens)[keyof typeof pathTokens] | undefined> = pathTokens
  return known[token]
}

function fits(token: string, value: string | number): boolean {
  const schema = schemaOf(token)
  return schema === undefined || compile(schema)(value)
}
