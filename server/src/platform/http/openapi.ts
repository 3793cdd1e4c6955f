import type { Endpoint } from '@keystall/contract/endpoint'
import { Failure, type FailureCode, failureCodes } from '@keystall/contract/envelope'
import { pathTokens } from '@keystall/contract/path'
import { scopes } from '@keystall/contract/scopes'
import { isServedOn } from './access.ts'
import { tagOf, tagsOf } from './openapi-chapters.ts'
import { failuresOf, failureWords } from './openapi-failures.ts'
import { tokensOf } from './path-values.ts'

type Json = { [key: string]: unknown }

/**
 * The contract, printed: a text in pieces, of which each takes a moment, because the whole takes many and others want
 * their turn. Nothing here is written by hand but the document's own head.
 */
export function* openapiPieces(endpoints: Record<string, Endpoint>): Generator<string> {
  const components: Json = {}
  const hoist = hoister(components)
  yield `${JSON.stringify(headOf(endpoints)).slice(0, -1)},"paths":{`
  const groups = [...pathGroups(endpoints)].sort(byName)
  yield* listed(groups, ([path, group]) => [path, pathItem(path, group, hoist)])
  hoist(Failure)
  yield '},"components":{"schemas":{'
  yield* listed(Object.entries(components).sort(byName), (component) => component)
  yield `},"securitySchemes":${JSON.stringify(securitySchemes)}}}`
}

function* listed<T>(things: T[], printed: (thing: T) => [name: string, value: unknown]): Generator<string> {
  for (const [index, thing] of things.entries()) {
    const [name, value] = printed(thing)
    yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`
  }
}

function headOf(endpoints: Record<string, Endpoint>): Json {
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
    servers: [{ url: '/', description: 'The instance that serves this document.' }],
    tags: tagsOf(endpoints),
    security: [],
  }
}

const securitySchemes = {
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
    description: "The order's own key, from the checkout address.",
  },
  orderKeyInAddress: {
    type: 'apiKey',
    in: 'query',
    name: 'key',
    description: "The order's own key as in the checkout address; logs of proxies may keep it.",
  },
}

type Hoist = (schema: unknown) => unknown
type Named = { name: string; endpoint: Endpoint }

/**
 * To OpenAPI, `/orders/{page}` and `/orders/{orderId}` are one path. It is printed once, its last part named for
 * both, and a method that both have says what either answers.
 */
function pathGroups(endpoints: Record<string, Endpoint>): Map<string, Named[]> {
  const groups = new Map<string, Named[]>()
  for (const [name, endpoint] of Object.entries(endpoints)) {
    if (!isServedOn('api', endpoint.access)) continue
    const form = endpoint.path.replace(/\{\w+\}/g, '{}')
    groups.set(form, [...(groups.get(form) ?? []), { name, endpoint }])
  }
  return new Map([...groups.values()].map((group) => [commonPath(group), group]))
}

function commonPath(group: Named[]): string {
  const spellings = group.map(({ endpoint }) => endpoint.path.split('/'))
  return (spellings[0] ?? [])
    .map((_, index) => {
      const names = [...new Set(spellings.map((parts) => parts[index] ?? ''))]
      const [first = '', ...others] = names.sort((a, b) => Number(a === '{page}') - Number(b === '{page}'))
      return others.length === 0
        ? first
        : `${first.slice(0, -1)}Or${capitalized(others.map((name) => name.slice(1)).join(''))}`
    })
    .join('/')
}

function pathItem(path: string, group: Named[], hoist: Hoist): Json {
  const item: Json = {}
  for (const method of new Set(group.map(({ endpoint }) => endpoint.method))) {
    const operations = group
      .filter(({ endpoint }) => endpoint.method === method)
      .map(({ name, endpoint }) => operation(name, endpoint, path, hoist))
    item[method.toLowerCase()] = operations.reduce(eitherOperation)
  }
  return item
}

function eitherOperation(a: Json, b: Json): Json {
  const parameters = new Map(
    [...list(a), ...list(b)].map((parameter) => [`${parameter['in']} ${parameter['name']}`, parameter]),
  )
  const last = (operation: Json) => list(operation).findLast((parameter) => parameter['in'] === 'path')
  const [ofA, ofB] = [last(a), last(b)]
  if (ofA && ofB) {
    parameters.set(`path ${ofA['name']}`, {
      ...ofA,
      description: `${ofA['description']} Or: ${ofB['description']}`,
      schema: { anyOf: [ofA['schema'], ofB['schema']] },
    })
  }
  return {
    ...a,
    operationId: `${a['operationId']}Or${capitalized(String(b['operationId']))}`,
    summary: `${a['summary']}, or: ${b['summary']}`,
    description: [a['description'], b['description']].filter(Boolean).join(' Or: '),
    parameters: [...parameters.values()],
    responses: { ...Object(b['responses']), ...Object(a['responses']), 200: eitherReply(replyOf(a), replyOf(b)) },
  }
}

function list(operation: Json): Json[] {
  return Array.isArray(operation['parameters']) ? operation['parameters'] : []
}

function replyOf(operation: Json): Json {
  return Object(Object(Object(Object(operation['responses'])['200'])['content'])['application/json'])['schema']
}

function eitherReply(a: Json, b: Json): Json {
  return { description: 'Done.', content: { 'application/json': { schema: { anyOf: [a, b] } } } }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function operation(name: string, endpoint: Endpoint, path: string, hoist: Hoist): Json {
  const isKeyed = !['public', 'order'].includes(endpoint.access)
  const more = isKeyed ? `Needs the scope ${endpoint.access}.` : ''
  const description = [endpoint.description, more].filter(Boolean).join(' ')
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(description ? { description } : {}),
    tags: [tagOf(endpoint.path)],
    security: isKeyed
      ? [{ apiKey: [] }]
      : endpoint.access === 'order'
        ? [{ orderKey: [] }, { orderKeyInAddress: [] }]
        : [],
    parameters: parametersOf(endpoint, path, hoist),
    ...requestBody(endpoint, hoist),
    responses: {
      200: success(endpoint, hoist),
      ...(mayBeKept(endpoint) ? { 304: { description: 'The copy that `If-None-Match` names still holds.' } } : {}),
      ...Object.fromEntries(failuresOf(endpoint).map((code) => failure(code))),
    },
  }
}

function parametersOf(endpoint: Endpoint, path: string, hoist: Hoist): Json[] {
  const tokens: Record<string, unknown> = pathTokens
  const printedNames = tokensOf(path)
  const inPath = tokensOf(endpoint.path).map((token, index) =>
    parameter('path', printedNames[index] ?? token, tokens[token], true, hoist),
  )
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

function parameter(place: string, name: string, schema: unknown, required: boolean, hoist: Hoist) {
  const { description, ...rest } = Object(schema)
  return { name, in: place, required, description, schema: hoist(rest) }
}

function requestBody(endpoint: Endpoint, hoist: Hoist): Json {
  if (endpoint.upload) {
    const { part, accepts } = endpoint.upload
    const schema = {
      type: 'object',
      required: [part],
      properties: { [part]: { type: 'string', contentMediaType: accepts, description: `The ${part} itself.` } },
    }
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
  }
  if (endpoint.isBodySigned) {
    const schema = { description: 'What the sender signed, as its own documentation says.' }
    return { requestBody: { required: true, content: { 'application/json': { schema } } } }
  }
  if (!endpoint.body) return {}
  const required =
    ((Object(endpoint.body)['required'] ?? []) as string[]).length > 0 || Object(endpoint.body)['type'] === 'array'
  return { requestBody: { required, content: { 'application/json': { schema: hoist(endpoint.body) } } } }
}

function success(endpoint: Endpoint, hoist: Hoist): Json {
  if (endpoint.reply === 'nothing') return { description: 'Done. There is no body.' }
  if (endpoint.reply === 'bytes') {
    const schema = { type: 'string', description: 'The bytes.' }
    return { description: 'The file.', content: { [endpoint.mediaType ?? '*/*']: { schema } } }
  }
  return { description: 'Done.', content: { 'application/json': { schema: hoist(endpoint.reply) } } }
}

/** What anybody may see of a store is the same for all, and callers may keep it. */
function mayBeKept({ access, method, path, reply }: Endpoint): boolean {
  return access === 'public' && method === 'GET' && path.includes('{') && typeof reply === 'object'
}

function failure(code: FailureCode): [string, Json] {
  const schema = { $ref: '#/components/schemas/Failure' }
  return [
    String(failureCodes[code]),
    { description: failureWords[code] ?? code, content: { 'application/json': { schema } } },
  ]
}

/** A schema with a title is listed once, under that name, and referred to everywhere else. */
function hoister(components: Json): Hoist {
  const hoist = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(hoist)
    if (typeof node !== 'object' || node === null) return node
    const copy: Json = {}
    for (const [key, value] of Object.entries(node)) {
      // Our own word for the sentence that a refusal says.
      if (key === 'reason' && typeof value === 'string') continue
      copy[key] = key === 'default' || key === 'enum' || key === 'const' ? value : hoist(value)
    }
    const { title } = copy
    if (typeof title !== 'string') return copy
    components[title] ??= copy
    return { $ref: `#/components/schemas/${title}` }
  }
  return hoist
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}
