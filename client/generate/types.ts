/** A JSON schema, as the contract's values are. */
export type Schema = Readonly<Record<string, unknown>>

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Prints schemas as TypeScript. A schema with a title becomes an interface of that name, declared once. */
export class TypePrinter {
  readonly #declared = new Map<string, string>()

  /** The interfaces met so far, by name. */
  declarations(): string {
    return [...this.#declared]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => text)
      .join('\n\n')
  }

  type(schema: Schema): string {
    const { title } = schema
    if (typeof title !== 'string') return this.#shape(schema)
    if (!this.#declared.has(title)) {
      // Set before its parts are printed: they may name it.
      this.#declared.set(title, '')
      const shape = this.#shape(schema)
      const keyword = shape.startsWith('{') ? `interface ${title}` : `type ${title} =`
      this.#declared.set(title, `${comment(schema['description'])}export ${keyword} ${shape}`)
    }
    return title
  }

  /** The fields of an object, one a line. */
  fields(schema: Schema): string {
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    return Object.entries(Object(schema['properties']))
      .map(([name, field]) => {
        if (!isSchema(field)) throw new TypeError(`${name} is no schema`)
        const isOptional = !required.includes(name)
        return `${comment(wordsOf(field))}${name}${isOptional ? '?' : ''}: ${this.type(field)}${isOptional ? ' | undefined' : ''}`
      })
      .join('\n')
  }

  #shape(schema: Schema): string {
    if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
    if ('const' in schema) return JSON.stringify(schema['const'])
    if (Array.isArray(schema['anyOf'])) return schema['anyOf'].map((each) => this.type(each)).join(' | ')
    if (Array.isArray(schema['type'])) {
      return schema['type'].map((type) => this.#shape({ ...schema, type })).join(' | ')
    }
    switch (schema['type']) {
      case 'string':
      case 'boolean':
      case 'null':
        return schema['type']
      case 'integer':
      case 'number':
        return 'number'
      case 'array': {
        const items = this.type(isSchema(schema['items']) ? schema['items'] : {})
        return /^\w+$/.test(items) ? `${items}[]` : `(${items})[]`
      }
      case 'object':
        if (isSchema(schema['properties'])) return `{\n${this.fields(schema)}\n}`
        return `Record<string, ${isSchema(schema['additionalProperties']) ? this.type(schema['additionalProperties']) : 'unknown'}>`
      default:
        throw new TypeError(`No type for ${JSON.stringify(schema)}`)
    }
  }
}

export function comment(text: unknown): string {
  return typeof text === 'string' && text !== '' ? `/** ${text.replaceAll('*/', '* /')} */\n` : ''
}

function wordsOf(field: Schema): string {
  const { description, default: value } = field
  const words = typeof description === 'string' ? description : ''
  return value === undefined ? words : `${words} ${JSON.stringify(value)} when left out.`.trim()
}
