/** The value with only those fields that its schema names, at every depth. A map keeps all of its own. */
export function namedFields(schema: unknown, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { properties, items, anyOf } = Object(schema)
  // The forms know but one alternative: the shape, or null.
  if (Array.isArray(anyOf))
    return namedFields(
      anyOf.find(({ type }) => type !== 'null'),
      value,
    )
  if (Array.isArray(value)) return isPlain(items) ? value : value.map((item) => namedFields(items, item))
  if (properties === undefined) return value
  const given = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(given.map(([name, field]) => [name, namedFields(properties[name], field)]))
}

/** A hundred thousand texts need not be looked at one by one. */
function isPlain(items: unknown): boolean {
  return ['string', 'integer', 'number', 'boolean'].includes(Object(items)['type'])
}
