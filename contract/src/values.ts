import { type TOptional, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox'

/** Canonical spelling only: lower case, 36 characters. PostgreSQL would take more. */
const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

export const Uuid = (description: string) =>
  Type.String({ pattern: uuidPattern, minLength: 36, maxLength: 36, description })

export const Timestamp = (description: string) => Type.String({ format: 'date-time', description })

/** Text that must hold more than white space, where it must hold anything. */
export const Text = (limits: { minLength?: number; maxLength: number }, description: string) =>
  Type.String({
    ...limits,
    ...((limits.minLength ?? 0) > 0 ? { pattern: '\\S' } : {}),
    description,
  })

/** The largest markdown text: rendering it stays quick. */
export const markdownLengthMax = 100_000

export const Markdown = (description: string) =>
  Type.String({ maxLength: markdownLengthMax, description: `${description} Markdown, at most 100,000 characters.` })

export const EmailAddress = (description: string) =>
  Type.String({ format: 'email', minLength: 3, maxLength: 254, description })

export const HttpUrl = (description: string) =>
  Type.String({ pattern: '^https?://[^\\s/?#]\\S*$', maxLength: 2048, description })

export const moneyMax = 1_000_000

export const Money = (description: string) => Type.Number({ minimum: 0, maximum: moneyMax, description })

export const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** One of a few texts or integers, each known by name. */
export const OneOf = <const Value extends string | number>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value>({ type: typeof values[0] === 'string' ? 'string' : 'integer', enum: [...values], description })

/** A map of strings. Not `Type.Record`: its pattern would be matched against every key. */
export const StringMap = (description: string, limits: TSchema = {}, value: TSchema = {}) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    ...limits,
    additionalProperties: { type: 'string', ...value },
    description,
  })

/**
 * A value that may be null. A named shape stays whole inside, so that OpenAPI can refer to it; everything else takes a
 * second type, which validates and serializes without trying alternatives.
 */
export const nullable = <S extends TSchema>(schema: S, description = descriptionOf(schema)) =>
  Type.Unsafe<Type.Static<S> | null>(
    'title' in schema || !('type' in schema)
      ? { anyOf: [schema, { type: 'null' }], description }
      : {
          ...schema,
          type: [schema.type, 'null'],
          ...('enum' in schema && Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
          description,
        },
  )

/**
 * A form's field that may be left out; the server then reads the default.
 * The schema alone says the type: inferring it back from the value costs the compiler a million steps a field.
 */
export const optional = <S extends TSchema>(
  schema: S,
  value: NoInfer<Type.Static<S>>,
): TOptional<TUnsafe<Type.Static<S>>> => Type.Optional(Type.Unsafe<Type.Static<S>>({ ...schema, default: value }))

export const list = <S extends TSchema>(item: S, description: string) => Type.Array(item, { description })

/** A named shape: OpenAPI lists it once, under this name. */
export const shape = <P extends TProperties>(title: string, description: string, properties: P) =>
  Type.Object(properties, { title, description })

function descriptionOf(schema: TSchema): string {
  return 'description' in schema && typeof schema.description === 'string' ? schema.description : ''
}
