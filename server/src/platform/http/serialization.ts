import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { compile } from './validation.ts'

const compiled = new WeakMap<TSchema, (value: unknown) => string>()

/** The reply schema is the redaction: what it does not name is not sent. */
export function serialize(schema: TSchema, value: unknown): string {
  return serializer(schema)(value)
}

/** Compiled when first needed, as validators are. */
export function serializer(schema: TSchema): (value: unknown) => string {
  const known = compiled.get(schema)
  if (known) return known
  const stringify = fastJson(nullsAsKeyword(schema), { ajv: { strict: false } })
  compiled.set(schema, stringify)
  return stringify
}

/**
 * The serializer writes "" or 0 for null where the schema does not allow null, without a word. Tests switch this
 * check on for every reply.
 */
export function assertReplyFits(schema: TSchema, value: unknown): void {
  const check = compile(schema)
  const plain: unknown = JSON.parse(JSON.stringify(value))
  if (check(plain)) return
  const places = (check.errors ?? []).map(
    (error) => `${error.instancePath} ${error.keyword} ${JSON.stringify(error.params)}`,
  )
  throw new Error(`The reply does not fit its shape: ${places.join('; ')}`)
}

/** fast-json-stringify runs a validator to choose between the branches of `anyOf`; a keyword costs nothing. */
function nullsAsKeyword(schema: TSchema): object {
  const rewrite = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(rewrite)
    if (typeof node !== 'object' || node === null) return node
    const copy: Record<string, unknown> = Object.fromEntries(
      Object.entries(node).map(([key, value]) => [key, rewrite(value)]),
    )
    const branches = copy['anyOf']
    if (Array.isArray(branches) && branches.length === 2) {
      const other = branches.find((branch) => branch.type !== 'null')
      const hasNull = branches.some((branch) => branch.type === 'null')
      if (hasNull && other) {
        const { anyOf: _, ...rest } = copy
        return { ...other, ...rest, nullable: true }
      }
    }
    return copy
  }
  return Object(rewrite(schema))
}
