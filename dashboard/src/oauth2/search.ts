export interface ConsentSearch {
  redirectUrl?: string
  state?: string
  code_challenge?: string
  code_challenge_method?: string
  /** A parameter was given twice: whichever we chose, somebody would have meant the other. */
  isAmbiguous?: boolean
}

const names = ['redirectUrl', 'state', 'code_challenge', 'code_challenge_method'] as const

export function readConsentSearch(search: Record<string, unknown>): ConsentSearch {
  const read: ConsentSearch = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value === 'string') read[name] = value
    else if (value !== undefined) read.isAmbiguous = true
  }
  return read
}
