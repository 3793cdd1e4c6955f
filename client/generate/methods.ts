import { headerField, queryNames } from '@keystall/contract/calling'
import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { failureCodes } from '@keystall/contract/envelope'
import { pathTokens } from '@keystall/contract/path'
import { comment, isSchema, type Schema, TypePrinter } from './types.ts'

/** What can be called with a key, with an order's key, or without any: the dashboard's own endpoints are not. */
export function callableEndpoints(): [name: string, endpoint: Endpoint][] {
  return Object.entries<Endpoint>(endpoints).filter(([, { access }]) => !['guest', 'session', 'staff'].includes(access))
}

/** The source of the client: a method an endpoint, with the types that it takes and answers. */
export function clientSource(): string {
  const printer = new TypePrinter()
  const methods = callableEndpoints().map(([name, endpoint]) => methodOf(name, endpoint, printer))
  const codes = Object.keys(failureCodes)
    .map((code) => JSON.stringify(code))
    .join(' | ')
  return `// Printed from the contract.
import { KeystallFailure } from './failure.ts'
import { Pages } from './pages.ts'
import { type CallOptions, type ClientOptions, Transport } from './transport.ts'

export { beginConsent, type Consent, finishConsent } from './consent.ts'
export { type InvalidField, KeystallFailure } from './failure.ts'
export { followEvents } from './follow.ts'
export { Pages } from './pages.ts'
export type { CallOptions, ClientOptions } from './transport.ts'
export { type FileUploadProgress, uploadFile } from './upload.ts'
export { verifyWebhook, type WebhookMessage, WebhookRefused } from './webhook.ts'

/** The kind of a failure, for programs. */
export type FailureCode = ${codes}

/** Whether something that was caught is the API's refusal, whose \`code\` can then be compared. */
export function isFailure(error: unknown): error is KeystallFailure<FailureCode> {
  return error instanceof KeystallFailure
}

/** Every endpoint that a key, an order's key or nobody in particular may call. */
export class Keystall {
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
  }

${methods.join('\n\n')}
}

${printer.declarations()}
`
}

function methodOf(name: string, endpoint: Endpoint, printer: TypePrinter): string {
  const isPaged = endpoint.path.includes('{page}')
  const input = inputOf(endpoint, printer)
  const isOptional = input.every(({ isRequired }) => !isRequired)
  const type =
    input.length === 0 ? 'Record<string, never>' : `{\n${input.map((field) => fieldText(field)).join('\n')}\n}`
  const answer = answerOf(endpoint, printer)
  const parameters = `input: ${type}${isOptional ? ' = {}' : ''}, options: CallOptions = {}`
  const descriptor = JSON.stringify(descriptorOf(endpoint))
  const doc = comment(
    [
      `${endpoint.summary}.`,
      endpoint.description,
      `${endpoint.method} ${endpoint.path}${isScope(endpoint.access) ? `, needs ${endpoint.access}.` : '.'}`,
    ]
      .filter(Boolean)
      .join(' '),
  )
  return isPaged
    ? `${doc}${name}(${parameters}): Pages<${itemOf(endpoint, printer)}, ${answer}> {\nreturn this.#transport.pages(${descriptor}, input, options)\n}`
    : `${doc}${name}(${parameters}): Promise<${answer}> {\nreturn this.#transport.call(${descriptor}, input, options)\n}`
}

interface Field {
  name: string
  type: string
  words: string
  isRequired: boolean
}

function fieldText({ name, type, words, isRequired }: Field): string {
  return `${comment(words)}${name}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'}`
}

/** Path, query, headers and body in one object: a name that stands twice would be a mistake of the contract. */
function inputOf(endpoint: Endpoint, printer: TypePrinter): Field[] {
  const fields = [...pathFields(endpoint), ...queryFields(endpoint, printer), ...headerFields(endpoint)]
  if (endpoint.upload) {
    fields.push({ name: endpoint.upload.part, type: 'Blob', words: `The ${endpoint.upload.part}.`, isRequired: true })
  } else if (endpoint.body) {
    const required = Object(endpoint.body)['required']
    const isRequired = (Array.isArray(required) && required.length > 0) || Object(endpoint.body)['type'] === 'array'
    fields.push({ name: 'body', type: printer.type(asSchema(endpoint.body)), words: '', isRequired })
  }
  const names = fields.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new TypeError(`${endpoint.path} takes a name twice: ${names.join()}`)
  return fields
}

function pathFields({ path }: Endpoint): Field[] {
  const tokens: Record<string, unknown> = pathTokens
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const { type, description } = Object(tokens[name])
    const isPage = name === 'page'
    const words = isPage ? `${description} 1 when left out.` : String(description)
    return { name, type: type === 'integer' ? 'number' : 'string', words, isRequired: !isPage }
  })
}

function queryFields(endpoint: Endpoint, printer: TypePrinter): Field[] {
  const { properties, required = [] } = Object(endpoint.query)
  return queryNames(endpoint).map((name) => {
    const schema = asSchema(properties[name])
    const words = String(schema['description'] ?? '')
    return { name, type: printer.type(schema), words, isRequired: required.includes(name) }
  })
}

function headerFields({ headers = {}, access }: Endpoint): Field[] {
  return Object.entries(headers).map(([name, { description, isRequired = false }]) => ({
    name: headerField(name),
    type: 'string',
    words: description,
    isRequired: isRequired || access === 'order',
  }))
}

function answerOf(endpoint: Endpoint, printer: TypePrinter): string {
  if (endpoint.reply === 'bytes') return 'Response'
  if (endpoint.reply === 'nothing') return 'void'
  const reply = asSchema(endpoint.reply)
  if (answersOf(endpoint) === 'whole') return printer.type(reply)
  const data = asSchema(Object(reply['properties'])['data'])
  return data['type'] === 'null' ? 'null' : printer.type(data)
}

function itemOf({ reply }: Endpoint, printer: TypePrinter): string {
  const data = asSchema(Object(asSchema(reply)['properties'])['data'])
  return printer.type(asSchema(data['items']))
}

function answersOf({ reply, method, path }: Endpoint): 'data' | 'whole' | 'nothing' | 'bytes' {
  if (reply === 'nothing') return 'nothing'
  if (reply === 'bytes') return 'bytes'
  const fields = Object.keys(Object(Object(reply)['properties']))
  const isEnveloped = fields.includes('success') && fields.includes('data')
  const isPage = fields.includes('pages') && (method === 'GET' || path.includes('{page}'))
  return isEnveloped && !isPage ? 'data' : 'whole'
}

function descriptorOf(endpoint: Endpoint) {
  const query = queryNames(endpoint)
  const headers = Object.fromEntries(Object.keys(endpoint.headers ?? {}).map((name) => [headerField(name), name]))
  const sends = endpoint.upload?.part ?? (endpoint.body ? 'body' : undefined)
  return {
    method: endpoint.method,
    path: endpoint.path,
    ...(query.length > 0 ? { query } : {}),
    ...(endpoint.headers ? { headers } : {}),
    ...(sends ? { sends } : {}),
    answers: answersOf(endpoint),
    ...(endpoint.isIdempotent ? { isIdempotent: true } : {}),
    ...(endpoint.hasEffect ? { hasEffect: true } : {}),
  }
}

function isScope(access: Endpoint['access']): boolean {
  return access !== 'public' && access !== 'order'
}

function asSchema(value: unknown): Schema {
  if (!isSchema(value)) throw new TypeError('A schema is expected here')
  return value
}
