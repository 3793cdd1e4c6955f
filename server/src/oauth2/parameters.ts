import { invalid } from '#problem'

export type Parameters = ReadonlyMap<string, readonly string[]>

/** Read strictly: what is not well-formed is refused instead of guessed, so that `state` comes back as it was sent. */
export function readParameters(text: string): Parameters {
  const parameters = new Map<string, string[]>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = decode(at < 0 ? '' : pair.slice(at + 1))
    parameters.set(name, [...(parameters.get(name) ?? []), value])
  }
  return parameters
}

/** Null when it is not there. Given twice, whichever we chose, somebody would have meant the other. */
export function single(parameters: Parameters, name: string): string | null {
  const [value, ...more] = parameters.get(name) ?? []
  if (more.length > 0) throw invalid({ [name]: 'is given twice' })
  return value ?? null
}

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    if (!decoded.includes('\u0000')) return decoded
  } catch {
    // Falls through: broken escapes are refused like any other unreadable text.
  }
  throw invalid({ query: 'is not well formed' })
}
