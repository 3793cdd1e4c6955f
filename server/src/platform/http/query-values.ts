import type { TSchema } from 'typebox'
import { validate } from './validation.ts'

/** A query carries text; integers are read strictly, never guessed. */
export function queryValues(schema: TSchema, query: unknown): Record<string, unknown> {
  const values: Record<string, unknown> = { ...Object(query) }
  const properties: Record<string, { type?: unknown }> = Object(schema)['properties'] ?? {}
  for (const [name, property] of Object.entries(properties)) {
    const text = values[name]
    if (typeof text !== 'string') continue
    const types: unknown[] = [property.type].flat()
    if (types.includes('integer') && /^-?\d{1,15}$/.test(text)) values[name] = Number(text)
    if (types.includes('boolean') && (text === 'true' || text === 'false')) values[name] = text === 'true'
  }
  validate(schema, values)
  return values
}
