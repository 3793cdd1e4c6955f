import type { ProductReference } from '@keystall/contract/shapes/product-reference'
import { Status } from '../ui/Status.tsx'
import { kindOf } from './filter.ts'

/** What is left, or why nothing has to be. */
export function Stock({ product }: { product: ProductReference }) {
  const kind = kindOf(product)
  if (kind === 'dynamic') return <span className="text-soft">Dynamic</span>
  if (kind === 'file') return <span className="text-soft">File</span>
  if (product.stock === 0) return <Status kind="warning">Out of stock</Status>
  return (
    <span className="text-soft tabular-nums">
      {product.stock.toLocaleString()} {product.stock === 1 ? 'item' : 'items'}
    </span>
  )
}
