import type { Endpoint } from '@keystall/contract/endpoint'
import { isServedOn } from './access.ts'

/** Segments that belong to the chapter of another. */
const chapterOf: Record<string, string> = {
  product: 'products',
  image: 'stores',
  ordering: 'stores',
  view: 'stores',
  view_id: 'stores',
  settings: 'stores',
  storefront: 'stores',
  'webhook-secret': 'webhooks',
  'flagged-reviews': 'reviews',
  'seller-reviews': 'reviews',
  'seller-orders': 'orders',
  'blocked-customers': 'customers',
  quote: 'checkout',
  health: 'service',
  internal: 'service',
  'openapi.json': 'service',
}

export function tagOf(path: string): string {
  const words = path.split('/').filter((segment) => segment && !segment.startsWith('{'))
  const word = (words[0] === 'stores' && words.length > 1 ? words[1] : words[0]) ?? 'service'
  return chapterOf[word] ?? word
}

export function tagsOf(endpoints: Record<string, Endpoint>): { name: string; description: string }[] {
  const names = new Set(
    Object.values(endpoints)
      .filter((endpoint) => isServedOn('api', endpoint.access))
      .map((endpoint) => tagOf(endpoint.path)),
  )
  return [...names].sort().map((name) => ({ name, description: `Everything about ${name.replaceAll('-', ' ')}.` }))
}
