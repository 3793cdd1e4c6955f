import type { ProductReference } from '@keystall/contract/shapes/product-reference'

/** Kept in the page's address. */
export interface ProductFilter {
  q?: string | undefined
  visibility?: '0' | '1' | '2' | undefined
  kind?: 'items' | 'file' | 'dynamic' | undefined
  stock?: 'in' | 'low' | 'out' | undefined
}

const lowStockMax = 5

export const kindOptions = [
  { value: 'items', label: 'Items' },
  { value: 'file', label: 'File' },
  { value: 'dynamic', label: 'Dynamic' },
] as const

export const stockOptions = [
  { value: 'in', label: 'In stock' },
  { value: 'low', label: `At most ${lowStockMax} left` },
  { value: 'out', label: 'Out of stock' },
] as const

export function readProductFilter(search: Record<string, unknown>): ProductFilter {
  const one = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === search[name])
  const { q } = search
  return {
    q: typeof q === 'string' && q !== '' ? q : undefined,
    visibility: one('visibility', ['0', '1', '2']),
    kind: one('kind', ['items', 'file', 'dynamic']),
    stock: one('stock', ['in', 'low', 'out']),
  }
}

export function kindOf({ isDynamic, stock }: ProductReference): 'items' | 'file' | 'dynamic' {
  if (isDynamic) return 'dynamic'
  return stock === -1 ? 'file' : 'items'
}

export function isMeant(product: ProductReference, { q, visibility, kind, stock }: ProductFilter): boolean {
  const text = `${product.name} ${product.tags.join(' ')} ${product.id}`.toLowerCase()
  const words = (q ?? '').toLowerCase().split(/\s+/)
  return (
    words.every((word) => text.includes(word)) &&
    (visibility === undefined || String(product.visibility) === visibility) &&
    (kind === undefined || kindOf(product) === kind) &&
    (stock === undefined || hasStock(product.stock, stock))
  )
}

function hasStock(stock: number, asked: 'in' | 'low' | 'out') {
  if (asked === 'out') return stock === 0
  return asked === 'low' ? stock > 0 && stock <= lowStockMax : stock !== 0
}
