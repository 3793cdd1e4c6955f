import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { invalid } from '#problem'

const depthMax = 32

/** A list of a hundred thousand wrong entries would take seconds to explain, and its answer more room than all else. */
const explainedMax = 1_000

/** Ends with the first that is wrong: nearly everything is right. */
const brief = newAjv({ allErrors: false })
const whole = newAjv({ allErrors: true })

function newAjv({ allErrors }: { allErrors: boolean }): Ajv {
  const options = { useDefaults: true, coerceTypes: false, strict: false, messages: false, verbose: true } as const
  const ajv = new Ajv({ allErrors, ...options })
  addFormats.default(ajv)
  // A leap second is a moment by its form, but none that a Date can hold.
  const { validate: hasForm } = ajv.formats['date-time'] as { validate: (text: string) => boolean }
  return ajv.addFormat('date-time', (text) => hasForm(text) && !Number.isNaN(Date.parse(text)))
}

const simplified = new WeakMap<TSchema, object>()
const compiled = { brief: new WeakMap<TSchema, ValidateFunction>(), whole: new WeakMap<TSchema, ValidateFunction>() }

/**
 * Throws a refusal that names every invalid field; of a list that is too long only that, and of any other the first
 * thousand entries. Fills the defaults in, inside the given value.
 */
export function validate(schema: TSchema, value: unknown): void {
  const fields: Record<string, string> = {}
  if (!isStorable(value, 0)) {
    refuseUnstorable(value, '', fields, 0)
    throw invalid(fields)
  }

  const isRight = compiledBy('brief', schema)
  if (isRight(value)) return
  const [first] = isRight.errors ?? []
  const check = compile(schema)
  check(shortened(simple(schema), value, '', fields))
  // The first of all may stand behind the first thousand entries.
  for (const error of [...(check.errors ?? []), ...(first ? [first] : [])]) {
    const [field, reason] = explain(error)
    // A union reports each branch it tried; the first reason on a field is the one to read.
    fields[field] ??= reason
  }
  throw invalid(fields)
}

/** Finds all that is wrong. */
export function compile(schema: TSchema): ValidateFunction {
  return compiledBy('whole', schema)
}

/** Compiled when first needed: a hundred schemas at the start would cost more than the start itself. */
function compiledBy(how: 'brief' | 'whole', schema: TSchema): ValidateFunction {
  const known = compiled[how].get(schema)
  if (known) return known
  const check = (how === 'brief' ? brief : whole).compile(simple(schema))
  compiled[how].set(schema, check)
  return check
}

function simple(schema: TSchema): object {
  const known = simplified.get(schema) ?? withoutNullBranches(schema)
  simplified.set(schema, known)
  return known
}

/** A copy that can be looked at as a whole. Lists that are too long are named, and empty in it. */
function shortened(schema: unknown, value: unknown, path: string, fields: Record<string, string>): unknown {
  const { maxItems, items, properties } = Object(schema)
  if (Array.isArray(value)) {
    if (value.length > maxItems) {
      fields[path || 'body'] = tooMany(maxItems)
      return []
    }
    return value.slice(0, explainedMax).map((item, index) => shortened(items, item, join(path, String(index)), fields))
  }
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = { ...value }
  for (const [name, inner] of Object.entries(Object(properties))) {
    if (Object.hasOwn(copy, name)) copy[name] = shortened(inner, copy[name], join(path, name), fields)
  }
  return copy
}

function tooMany(limit: number): string {
  return `must have at most ${limit} entries`
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair, and endless nesting breaks whoever reads it back. */
function isStorable(value: unknown, depth: number): boolean {
  if (depth > depthMax) return false
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1))
  return Object.entries(value).every(([key, item]) => isStorable(key, depth + 1) && isStorable(item, depth + 1))
}

/** Names what is not storable. Naming every place in a long body takes longer than all other checks. */
function refuseUnstorable(value: unknown, path: string, fields: Record<string, string>, depth: number): void {
  if (isStorable(value, depth)) return
  if (depth > depthMax) fields[path] = `is nested more than ${depthMax} levels deep`
  else if (typeof value === 'string') {
    if (value.includes('\u0000')) fields[path || 'body'] = 'contains a NUL character'
    else if (!value.isWellFormed()) fields[path || 'body'] = 'contains half of a surrogate pair'
  } else if (Array.isArray(value)) {
    // The first that are wrong: the others would be so in the same way.
    let named = 0
    for (const [index, item] of value.entries()) {
      if (isStorable(item, depth + 1)) continue
      refuseUnstorable(item, join(path, String(index)), fields, depth + 1)
      if (++named === explainedMax) break
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseUnstorable(key, join(path, key), fields, depth + 1)
      refuseUnstorable(item, join(path, key), fields, depth + 1)
    }
  }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

/**
 * `anyOf: [X, null]` reports three errors for one wrong value. Written as X with a type list it reports one,
 * in X's own words.
 */
function withoutNullBranches(schema: unknown): object {
  const rewrite = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(rewrite)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).map(([key, value]) => [key, rewrite(value)] as const)
    const copy: Record<string, unknown> = Object.fromEntries(entries)
    const branch = nullableBranch(copy['anyOf'])
    if (!branch) return copy
    const { anyOf: _, ...rest } = copy
    return { ...branch, ...rest, type: [branch['type'], 'null'] }
  }
  return Object(rewrite(schema))
}

function nullableBranch(anyOf: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined
  const isNull = (branch: { type?: unknown }) => branch.type === 'null'
  const other = anyOf.find((branch) => !isNull(branch))
  const hasNull = anyOf.some(isNull)
  return hasNull && typeof other?.type === 'string' && !other.enum && other.const === undefined ? other : undefined
}

function explain(error: ErrorObject): [field: string, reason: string] {
  const path = error.instancePath
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
  if (error.keyword === 'required') return [join(path, error.params['missingProperty']), 'is required']
  return [path || 'body', reasonFor(error)]
}

const patternReasons: Record<string, string> = {
  '\\S': 'must hold more than white space',
}

function reasonFor({ keyword, params, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${listed([params['type']].flat().map((type) => article(type)))}`
    case 'minLength':
      return params['limit'] === 1 ? 'must not be empty' : `must have at least ${params['limit']} characters`
    case 'maxLength':
      return `must have at most ${params['limit']} characters`
    case 'minimum':
      return `must be at least ${params['limit']}`
    case 'maximum':
      return `must be at most ${params['limit']}`
    case 'exclusiveMinimum':
      return `must be more than ${params['limit']}`
    case 'minItems':
      return `must have at least ${params['limit']} ${params['limit'] === 1 ? 'entry' : 'entries'}`
    case 'maxItems':
    case 'maxProperties':
      return tooMany(params['limit'])
    case 'enum':
      return `must be one of ${listed([...params['allowedValues']].map(String))}`
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`
    case 'uniqueItems':
      return 'must not name the same value twice'
    case 'format':
      return `must be ${formatNames[params['format']] ?? `of the form ${params['format']}`}`
    case 'pattern':
      return patternReasons[params['pattern']] ?? Object(parentSchema)['reason'] ?? 'has the wrong form'
    default:
      return 'is not valid'
  }
}

const formatNames: Record<string, string> = {
  'date-time': 'a moment such as 2030-01-31T12:00:00Z',
  email: 'an e-mail address',
  uri: 'an address',
  uuid: 'a UUID',
}

function article(type: string): string {
  if (type === 'null') return 'null'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

function listed(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
