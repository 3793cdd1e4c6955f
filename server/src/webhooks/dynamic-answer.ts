import type { Answer } from '#platform/outbound/sender'

const itemsMax = 100_000

export type DynamicAnswer = { readonly items: string[] } | { readonly refused: string }

/**
 * The items in the answer to a `product.dynamic` request. Any number from one up is taken, whatever the quantity: one
 * text may hold all that was bought. Nothing, and what is not text, is a failed try.
 */
export function readDynamicAnswer({ headers, body }: Pick<Answer, 'headers' | 'body'>): DynamicAnswer {
  const text = textOf(body)
  if (text === undefined) return { refused: 'The answer is not UTF-8 text' }
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  if (!isUtf8(parameters)) return { refused: 'The answer is not UTF-8 text' }
  switch (type.trim()) {
    case 'text/plain':
      return isEmpty(text) ? { refused: 'The answer is empty' } : { items: [text] }
    case 'application/json':
      return readJson(text)
    default:
      return { refused: 'The answer is neither text/plain nor JSON' }
  }
}

/** Undefined when it is not UTF-8, or holds what no text column takes. */
function textOf(body: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    return text.includes('\u0000') ? undefined : text
  } catch {
    return undefined
  }
}

function isUtf8(parameters: string[]): boolean {
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='))
  return charset === undefined || /^charset="?(utf-8|utf8|us-ascii)"?$/.test(charset)
}

function readJson(text: string): DynamicAnswer {
  const items: unknown = Object(parsed(text))['items']
  if (!Array.isArray(items)) return { refused: 'The answer is not of the form {"items": ["…"]}' }
  if (items.length === 0) return { refused: 'The answer has no items' }
  if (items.length > itemsMax) return { refused: `The answer has more than ${itemsMax} items` }
  const texts = items.filter((item): item is string => typeof item === 'string' && isStorable(item) && !isEmpty(item))
  return texts.length === items.length
    ? { items: texts }
    : { refused: 'The answer has an item that is not text or empty' }
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\u0000')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isEmpty(text: string): boolean {
  return text.trim() === ''
}
