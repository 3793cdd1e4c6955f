import type { Furnished } from './furnished.ts'
import type { Shape } from './shape.ts'

const textsByPattern: [start: string, text: string][] = [
  ['^[0-9]{6}$', '123456'],
  ['^[A-Z]{3}$', 'USD'],
  ['^[A-Z]{2}$', 'DE'],
  ['^[0-9a-fA-F.:]', '192.0.2.7'],
  ['^P([1-9]', 'P1M'],
  ['^\\d{1,9}', '0.01'],
  ['^#', '#336699'],
  ['^https?', 'https://shop.example/path'],
]

/** By the name of a field, where the schema alone does not tell what would be taken. */
function known(name: string, { ids }: Furnished): string | undefined {
  switch (name) {
    case 'id':
      return ids['productId']
    case 'storeIds':
      return ids['storeId']
    case 'ids':
      return ids['faqId']
    case 'enabledProductIds':
    case 'featuredProductId':
      return ids['productId']
    case 'imageNames':
      return ids['fileName']
    case 'previousTicketId':
      return ids['ticketId']
    case 'attachmentIds':
      return ids['attachmentId']
    case 'scopes':
      return 'ViewStores'
    case 'blacklistedPaymentGateways':
      return 'card'
    case 'domain':
      return 'shop.keys.example'
    case 'url':
      return undefined
    case 'recipient':
      return '0x52908400098527886E0F7030069857D2E4169EE7'
    case 'couponCode':
      return undefined
    default:
      return name.endsWith('Id') ? ids[name] : undefined
  }
}

/** A value that the schema takes, with the ids of what is there. */
export function sampleOf(shape: Shape, furnished: Furnished, name = ''): unknown {
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum.includes('test') ? 'test' : shape.enum[0]
  if (shape.anyOf) return sampleOf(shape.anyOf[0] ?? {}, furnished, name)
  switch ([shape.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(shape.properties ?? {})
          .map(([key, inner]): [string, unknown] => [key, sampleOf(inner, furnished, key)])
          .filter(([key]) => !['couponCode', 'affiliateCode', 'referralCode', 'customValues'].includes(key)),
      )
    case 'array':
      return [sampleOf(shape.items ?? { type: 'string' }, furnished, name)]
    case 'integer':
    case 'number':
      return Math.max(shape.minimum ?? 1, Math.min(shape.maximum ?? 1, 1))
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return textFor(shape, furnished, name)
  }
}

function textFor({ pattern = '', format, minLength = 1, maxLength = 64 }: Shape, furnished: Furnished, name: string) {
  const found = known(name, furnished)
  if (found !== undefined) return found
  if (format === 'email') return 'somebody@example.com'
  if (format === 'date-time') return '2031-01-31T12:00:00Z'
  const fitting = textsByPattern.find(([start]) => pattern.startsWith(start))
  if (fitting) return fitting[1]
  return 'abcdefghijkl'.padEnd(minLength, 'x').slice(0, Math.max(minLength, Math.min(maxLength, 12)))
}

/** Every place in a shape, the whole first: `[]`, `['items']`, `['items', 0, 'productId']`. */
export function* placesIn(shape: Shape, at: (string | number)[] = []): Generator<[(string | number)[], Shape]> {
  const branch = shape.anyOf?.[0] ?? shape
  yield [at, branch]
  for (const [name, inner] of Object.entries(branch.properties ?? {})) yield* placesIn(inner, [...at, name])
  if ([branch.type].flat().includes('array') && branch.items) yield* placesIn(branch.items, [...at, 0])
  if (branch.additionalProperties?.type === 'string') yield [[...at, 'key'], branch.additionalProperties]
}
