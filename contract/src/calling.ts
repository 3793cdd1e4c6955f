import type { Endpoint } from './endpoint.ts'

/** How the client names a header: `XOAuth2-Client-Secret` is `clientSecret`. */
export function headerField(name: string): string {
  const [first = '', ...others] = name
    .replace(/^X(OAuth2)?-/, '')
    .toLowerCase()
    .split('-')
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** What a caller puts into the query. The order's key travels in its header, where no log sees it. */
export function queryNames({ query, access }: Endpoint): string[] {
  const names = Object.keys(Object(Object(query)['properties']))
  return access === 'order' ? names.filter((name) => name !== 'key') : names
}
