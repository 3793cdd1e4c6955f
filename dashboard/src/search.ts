/** The address's parameters as they are: text, or texts where one is named twice. The router would read JSON into them. */
export function parseSearch(search: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(search)
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const text of Array.isArray(value) ? value : [value]) {
      if (typeof text === 'string') parameters.append(name, text)
    }
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** One parameter of an address; left out unless it is there once. */
export function textOf<Name extends string>(search: Record<string, unknown>, name: Name): { [N in Name]?: string } {
  const value = search[name]
  const read: { [N in Name]?: string } = {}
  return typeof value === 'string' ? { ...read, [name]: value } : read
}
