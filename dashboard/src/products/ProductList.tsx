import type { ProductReference } from '@keystall/contract/shapes/product-reference'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { failureOf } from '../api.ts'
import { useMay } from '../stores/rights.ts'
import { Card } from '../ui/Card.tsx'
import { formatMoney } from '../ui/money.ts'
import { Notice } from '../ui/Notice.tsx'
import { type Grip, Handle, useReorder } from '../ui/Reorder.tsx'
import { ProductMenu } from './ProductMenu.tsx'
import { arrangeProducts } from './products.ts'
import { Stock } from './Stock.tsx'
import { Thumbnail } from './Thumbnail.tsx'
import { Visibility } from './Visibility.tsx'

/** A list and no table: its rows are dragged. While it is narrowed there is no order to change. */
export function ProductList({
  storeId,
  products,
  isNarrowed,
  onDelete,
}: {
  storeId: string
  products: readonly ProductReference[]
  isNarrowed: boolean
  onDelete: (product: ProductReference) => void
}) {
  const mayArrange = useMay('UpdateStores') && !isNarrowed && products.length > 1
  const { mutate, error } = useMutation({
    mutationFn: (arranged: readonly ProductReference[]) => arrangeProducts(storeId, arranged),
  })
  const { shown, listRef, gripOf, said } = useReorder({
    rows: products,
    keyOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    onArrange: mutate,
  })
  return (
    <div className="flex flex-col gap-3">
      {error && <Notice kind="danger">{failureOf(error).message}</Notice>}
      <Card>
        <ul ref={listRef} aria-label="Products">
          {shown.map((product) => (
            <ProductRow
              key={product.id}
              product={product}
              storeId={storeId}
              grip={mayArrange ? gripOf(product) : undefined}
              onDelete={() => onDelete(product)}
            />
          ))}
        </ul>
      </Card>
      <output className="sr-only">{said}</output>
    </div>
  )
}

function ProductRow({
  product,
  storeId,
  grip,
  onDelete,
}: {
  product: ProductReference
  storeId: string
  grip: Grip | undefined
  onDelete: () => void
}) {
  return (
    <li
      className={`relative flex min-h-14 items-center gap-3 border-line py-2 pr-2 [contain-intrinsic-size:auto_57px] [content-visibility:auto] not-last:border-b hover:bg-sunken/50 ${grip ? 'pl-1.5' : 'pl-4'} ${grip?.isHeld ? 'z-10 rounded-control bg-raised shadow-float' : ''}`}
    >
      {grip && <Handle grip={grip} className="z-10" />}
      <Thumbnail name={product.imageNames[0]} />
      <span className="flex min-w-0 flex-1 flex-col gap-x-6 gap-y-0.5 sm:flex-row sm:items-center">
        <Link
          to="/stores/$storeId/products/$productId"
          params={{ storeId, productId: product.id }}
          className="min-w-0 flex-1 truncate rounded-control font-medium after:absolute after:inset-0"
        >
          {product.name}
        </Link>
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1 sm:contents">
          <span className="sm:w-24">
            <Visibility visibility={product.visibility} />
          </span>
          <span className="text-sm sm:w-28">
            <Stock product={product} />
          </span>
          <span className="text-sm text-soft tabular-nums max-sm:hidden sm:w-20 sm:text-right">
            {product.amountSold.toLocaleString()} sold
          </span>
          <span className="font-medium tabular-nums max-sm:ml-auto sm:w-28 sm:text-right">
            {formatMoney(product.cost, product.store.preferredCurrency)}
          </span>
        </span>
      </span>
      <span className="relative z-10">
        <ProductMenu storeId={storeId} product={product} onDelete={onDelete} />
      </span>
    </li>
  )
}
