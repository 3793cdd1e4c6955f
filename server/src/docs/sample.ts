/** A value that the reader has in the environment: an id, a key. */
export class FromEnvironment {
  readonly name: string

  constructor(field: string) {
    this.name = field.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
  }
}

export type Sample = string | number | boolean | null | FromEnvironment | Sample[] | { [name: string]: Sample }

/** What a field of this name may well hold. */
const known: Record<string, Sample> = {
  name: 'Game key',
  url: 'mystall',
  emailAddress: 'ada@example.com',
  gateway: 'test',
  paymentMethod: 'card',
  method: 'test',
  title: 'When do I get it?',
  description: 'At once.',
  message: 'Thank you, it works.',
  subject: 'A question',
  reason: 'Two of them did not work.',
  reply: 'Glad you like it.',
  domain: 'shop.example.com',
  webhookUrl: 'https://example.com/hook',
  items: ['AAAA-1111', 'BBBB-2222'],
  fileName: 'kit.zip',
  timeStr: '30d',
  storeUrl: 'demo',
  query: 'ada@example.com',
  page: 1,
  code: new FromEnvironment('code'),
  notes: 'Pays by card.',
  amount: 5,
  feeMax: '0.01',
  isEnabled: true,
  isPinned: true,
  percentageDecrease: 10,
  cost: 9.5,
  rating: 5,
  value: 'ada@example.com',
  key: 'Name',
  ipAddress: '192.0.2.1',
  scopes: ['ViewOrders'],
  email: 'ada@example.com',
  role: 'helper',
  country: 'DE',
  currency: 'USD',
  bytes: 1024,
  kind: 'email',
}

/** What it may hold in a form of this name. */
const inForm: Record<string, Record<string, Sample>> = {
  CouponForm: { name: 'SUMMER' },
  StoreForm: { name: 'My stall' },
}

/** The second guess, where the first has not the form that is asked for. */
const otherwise: Record<string, Sample> = { url: 'https://example.com/hook', code: '123456' }

/** Fields that hold the id of something that another name says. */
const sameAs: Record<string, string> = { featuredProductId: 'productId', id: 'productId' }

/** A value that the schema takes: what must be there, and nothing else. */
export function sampleOf(schema: unknown, field = ''): Sample {
  const { type, anyOf, enum: values, items, properties, required = [], minimum, minLength, title } = Object(schema)
  if (Array.isArray(anyOf)) return sampleOf(anyOf[0], field)
  if (isUuid(schema)) return new FromEnvironment(sameAs[field] ?? field)
  const usual = [known[field], otherwise[field]].find((each) => each !== undefined && fits(each, schema))
  if (usual !== undefined) return usual
  if (Array.isArray(values)) return values[0]
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return 'text'.padEnd(Number(minLength ?? 0), '.')
    case 'integer':
    case 'number':
      return Number(minimum ?? 1)
    case 'boolean':
      return true
    case 'array':
      return [sampleOf(items, field.replace(/s$/, ''))]
    case 'object': {
      const names = required.length > 0 ? required : Object.keys(Object(properties)).slice(0, 1)
      const usually = inForm[title] ?? {}
      return Object.fromEntries(
        names.map((name: string) => [name, usually[name] ?? sampleOf(Object(properties)[name], name)]),
      )
    }
    default:
      return null
  }
}

function isUuid(schema: unknown): boolean {
  const { type, maxLength, pattern } = Object(schema)
  return [type].flat().includes('string') && maxLength === 36 && String(pattern).startsWith('^[0-9a-f]{8}')
}

function fits(value: Sample, schema: unknown): boolean {
  const { type, enum: values, pattern, maxLength, items } = Object(schema)
  const types = Array.isArray(type) ? type : [type]
  if (value instanceof FromEnvironment) return types.includes('string') && pattern === undefined
  if (Array.isArray(value)) return types.includes('array') && value.every((each) => fits(each, items))
  if (Array.isArray(values)) return values.includes(value)
  if (typeof value === 'string') {
    return (
      types.includes('string') && value.length <= (maxLength ?? Infinity) && new RegExp(pattern ?? '', 'u').test(value)
    )
  }
  return typeof value === 'number'
    ? types.includes('number') || (types.includes('integer') && Number.isInteger(value))
    : typeof value === 'boolean' && types.includes('boolean')
}
