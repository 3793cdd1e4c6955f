export interface FieldRow {
  /** The path of the field, such as `items[].quantity`. */
  name: string
  type: string
  isRequired: boolean
  words: string
}

const depthMax = 6

/** Every field of a schema, one a row; what is named elsewhere is named, and told once. */
export function fieldRows(schema: unknown, seen: ReadonlySet<string> = new Set(), prefix = '', depth = 0): FieldRow[] {
  const { properties, required = [], items, title } = Object(schema)
  if (depth > depthMax) return []
  if (items) return fieldRows(items, seen, `${prefix}[]`, depth)
  if (!properties || (typeof title === 'string' && seen.has(title))) return []
  const inside = typeof title === 'string' ? new Set([...seen, title]) : seen
  return Object.entries(Object(properties)).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    const row = { name: path, type: typeName(field), isRequired: required.includes(name), words: wordsOf(field) }
    return [row, ...fieldRows(withoutNull(field), inside, path, depth + 1)]
  })
}

/** `string, 3 to 64`, `one of 0, 1, 2`, `array of Product`. */
export function typeName(schema: unknown): string {
  const { type, anyOf, enum: values, items, title, additionalProperties, properties } = Object(schema)
  if (Array.isArray(anyOf)) return anyOf.map(typeName).join(' or ')
  if (Array.isArray(values)) return values.map((value) => (value === null ? 'null' : JSON.stringify(value))).join(', ')
  const types: string[] = Array.isArray(type) ? type : [type]
  const [first = 'any', ...others] = types
  const name =
    first === 'array'
      ? `array of ${typeName(items)}`
      : first === 'object' && typeof title === 'string'
        ? title
        : first === 'object' && additionalProperties && !properties
          ? 'map'
          : first
  return [limited(isUuid(schema) ? 'uuid' : formatted(name, schema), schema), ...others].join(' or ')
}

function formatted(name: string, schema: unknown): string {
  const { format } = Object(schema)
  return format === 'date-time' ? 'timestamp' : format === 'email' ? 'e-mail address' : name
}

function limited(name: string, schema: unknown): string {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems } = Object(schema)
  if (name === 'uuid') return name
  if (maxLength !== undefined) return `${name}, ${range(minLength || undefined, maxLength)} characters`
  if (maxItems !== undefined) return `${name}, ${range(minItems || undefined, maxItems)}`
  if (exclusiveMinimum !== undefined) return `${name}, above ${number(exclusiveMinimum)}`
  if (minimum !== undefined || maximum !== undefined) return `${name}, ${range(minimum, maximum)}`
  return name
}

function range(from: unknown, to: unknown): string {
  if (to === undefined) return `${number(from)} or more`
  if (from === undefined) return `up to ${number(to)}`
  return `${number(from)} to ${number(to)}`
}

function number(value: unknown): string {
  return Number(value).toLocaleString('en')
}

function isUuid(schema: unknown): boolean {
  const { maxLength, pattern } = Object(schema)
  return maxLength === 36 && String(pattern).startsWith('^[0-9a-f]{8}')
}

function withoutNull(schema: unknown): unknown {
  const { anyOf } = Object(schema)
  return Array.isArray(anyOf) ? anyOf[0] : schema
}

function wordsOf(schema: unknown): string {
  const { description = '', default: value } = Object(schema)
  return value === undefined ? description : `${description} Default ${JSON.stringify(value)}.`
}
