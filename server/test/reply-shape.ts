import type { Endpoint } from '@keystall/contract/endpoint'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Heard } from './line.ts'

const ajv = new Ajv({ strict: false, messages: false })
addFormats.default(ajv)

const compiled = new WeakMap<object, ValidateFunction>()

/** What is not as the contract says of a success: something is missing, of another kind, or more than was promised. */
export function departure({ reply, mediaType }: Endpoint, { status, headers, text }: Heard): string | undefined {
  if (reply === 'bytes') {
    const type = String(headers['content-type'])
    return mediaType === undefined || type.startsWith(mediaType) ? undefined : `${type} instead of ${mediaType}`
  }
  if (status !== 200) return `${status} is no documented success`
  if (reply === 'nothing') return text === '' ? undefined : `a body where none is documented: ${text.slice(0, 200)}`
  const value = parsed(text)
  if (value === undefined) return `no JSON: ${text.slice(0, 200)}`
  const check = compiled.get(reply) ?? ajv.compile(strict(reply))
  compiled.set(reply, check)
  if (check(value)) return undefined
  const [error] = check.errors ?? []
  return `the reply does not fit its shape: ${error?.instancePath} ${error?.keyword} ${JSON.stringify(error?.params)}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An object holds what is named and nothing else. */
function strict(schema: object): object {
  const rewrite = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(rewrite)
    if (typeof node !== 'object' || node === null) return node
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, rewrite(value)]))
    const isOpen = copy['type'] !== undefined && typeof copy['properties'] === 'object'
    return isOpen ? { additionalProperties: false, ...copy } : copy
  }
  return Object(rewrite(schema))
}
