import { type Scope, scopeNamed } from '@keystall/contract/scopes'
import { invalid } from '#problem'

/** Both spellings are taken; the contract's names are kept, each once. */
export function readScopes(texts: readonly string[]): Scope[] {
  const fields: Record<string, string> = {}
  const scopes = texts.flatMap((text, index) => {
    const scope = scopeNamed(text)
    if (!scope) fields[`scopes.${index}`] = 'is not a scope'
    return scope ?? []
  })
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return [...new Set(scopes)]
}
