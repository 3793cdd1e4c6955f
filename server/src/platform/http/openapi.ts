import type { Endpoint } from '@keystall/contract/endpoint'
import { Failure, type FailureCode, failureCodes } from '@keystall/contract/envelope'
import { pathTokens } from '@keystall/contract/path'
import { scopes } from '@keystall/contract/scopes'
import { isServedOn } from './access.ts'
import { tokensOf } from './path-values.ts'

type Json = { [key: string]: unknown }

/** The contract, printed. Nothing here is written by hand but the document's own head. */
export function openapiDocument(endpoints: Record<string, Endpoint>, serverUrl: string): Json {
  const components: Json = {}
  const hoist = hoister(components)
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    if (!isServedOn('api', endpoint.access)) continue
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = operation(name, endpoint, hoist)
  }
  hoist(Failure)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keystall API',
      version: '1',
      description:
        'Sell digital goods: stores, products and their items, orders, coupons, tickets and reviews. ' +
        'Every failure has the same body, named Failure.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl, description: 'This instance.' }],
    tags: tagsOf(endpoints),
    security: [],
    paths: sorted(paths),
    components: {
      schemas: sorted(components),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: `An API key. Scopes: ${Object.entries(scopes)
            .map(([name, { words }]) => `${name} (${words})`)
            .join(', ')}.`,
        },
        orderKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Order-Key',
          description: "The order's own key, from the checkout address; the query parameter `key` works as well.",
        },
      },
    },
  }
}

function operation(name: string, endpoint: Endpoint, hoist: (schema: unknown) => unknown): Json {
  const isKeyed = !['public', 'order'].includes(endpoint.access)
  const more = isKeyed ? `Needs the scope ${endpoint.access}.` : ''
  const description = [endpoint.description, more].filter(Boolean).join(' ')
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(description ? { description } : {}),
    tags: [tagOf(endpoint.path)],
    security: isKeyed ? [{ apiKey: [] }] : endpoint.access === 'order' ? [{ orderKey: [] }] : [{}],
    parameters: parametersOf(endpoint, hoist),
    ...requestBody(endpoint, hoist),
    responses: {
      200: success(endpoint, hoist),
      ...Object.fromEntries(failuresOf(endpoint).map((code) => failure(code))),
    },
  }
}

function parametersOf(endpoint: Endpoint, hoist: (schema: unknown) => unknown): Json[] {
  const tokens: Record<string, unknown> = pathTokens
  const inPath = tokensOf(endpoint.path).map((token) => parameter('path', token, tokens[token], true, hoist))
  const properties: Json = Object(Object(endpoint.query)['properties'])
  const required: string[] = Object(endpoint.query)['required'] ?? []
  const inQuery = Object.entries(properties).map(([name, schema]) =>
    parameter('query', name, schema, required.includes(name), hoist),
  )
  const inHeader = Object.entries(endpoint.headers ?? {}).map(([name, { description, isRequired }]) => ({
    name,
    in: 'header',
    required: isRequired ?? false,
    description,
    schema: { type: 'string' },
  }))
  const idempotency = endpoint.isIdempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'The same key with the same request gets the same answer, for 30 days.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      ]
    : []
  return [...inPath, ...inQuery, ...inHeader, ...idempotency]
}

function parameter(place: string, name: string, schema: unknown, required: boolean, hoist: (schema: unknown) => unknown) {
  const { description, ...rest } = Object(schema)
  return { name, in: place, required, description, schema: hoist(rest) }
}

function requestBody(endpoint: Endpoint, hoist: (schema: unknown) => unknown): Json {
  if (endpoint.upload) {
    const { part, accepts } = endpoint.upload
    const schema = {
      type: 'object',
      required: [part],
      properties: { [part]: { type: 'string', contentMediaType: accepts, description: `The ${part} itself.` } },
    }
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
  }
  if (!endpoint.body) return {}
  const required = ((Object(endpoint.body)['required'] ?? []) as string[]).length > 0 || Object(endpoint.body)['type'] === 'array'
  return { requestBody: { required, content: { 'application/json': { schema: hoist(endpoint.body) } } } }
}

function success(endpoint: Endpoint, hoist: (schema: unknown) => unknown): Json {
  if (endpoint.reply === 'nothing') return { description: 'Done. There is no body.' }
  if (endpoint.reply === 'bytes') {
    const schema = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The bytes.' }
    return { description: 'The file.', content: { 'application/octet-stream': { schema } } }
  }
  return { description: 'Done.', content: { 'application/json': { schema: hoist(endpoint.reply) } } }
}

function failuresOf(endpoint: Endpoint): FailureCode[] {
  const hasInput = Boolean(endpoint.body || endpoint.query || endpoint.upload || tokensOf(endpoint.path).length > 0)
  const isKeyed = !['public', 'order'].includes(endpoint.access)
  return [
    ...(hasInput ? (['ValidationError'] as const) : []),
    ...(isKeyed ? (['BadToken', 'AccessDenied'] as const) : []),
    ...(endpoint.path.includes('/exchange/') ? (['InvalidClientSecret'] as const) : []),
    ...(endpoint.path.includes('Id}') || endpoint.path.includes('Url}') ? (['NotFound'] as const) : []),
    ...(endpoint.method === 'GET' ? [] : (['ObjectConflict'] as const)),
    'RateLimited',
    'Unavailable',
  ]
}

function failure(code: FailureCode): [string, Json] {
  const schema = { $ref: '#/components/schemas/Failure' }
  return [String(failureCodes[code]), { description: failureWords[code] ?? code, content: { 'application/json': { schema } } }]
}

const failureWords: Partial<Record<FailureCode, string>> = {
  ValidationError: 'The request is invalid; `invalidFields` names each field.',
  BadToken: 'The API key is missing or wrong.',
  InvalidClientSecret: 'The client secret or the access code is invalid.',
  AccessDenied: 'The key lacks the scope.',
  NotFound: 'There is no such object, or it is not the caller’s.',
  ObjectConflict: 'The present state does not allow it.',
  RateLimited: 'Too many requests; `Retry-After` says when to try again.',
  Unavailable: 'The service is busy or restarting; `Retry-After` says when to try again.',
}

/** A schema with a title is listed once, under that name, and referred to everywhere else. */
function hoister(components: Json): (schema: unknown) => unknown {
  const hoist = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(hoist)
    if (typeof node !== 'object' || node === null) return node
    const copy: Json = {}
    for (const [key, value] of Object.entries(node)) {
      if (key === 'reason') continue
      copy[key] = key === 'default' || key === 'enum' || key === 'const' ? value : hoist(value)
    }
    const { title } = copy
    if (typeof title !== 'string') return copy
    components[title] ??= copy
    return { $ref: `#/components/schemas/${title}` }
  }
  return hoist
}

function tagOf(path: string): string {
  const words = path.split('/').filter((segment) => segment && !segment.startsWith('{'))
  return (words[0] === 'stores' && words.length > 1 ? words[1] : words[0])?.replace(/s?$/, 's') ?? 'other'
}

function tagsOf(endpoints: Record<string, Endpoint>): Json[] {
  const names = new Set(
    Object.values(endpoints)
      .filter((endpoint) => isServedOn('api', endpoint.access))
      .map((endpoint) => tagOf(endpoint.path)),
  )
  return [...names].sort().map((name) => ({ name, description: `Everything about ${name.replaceAll('-', ' ')}.` }))
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
