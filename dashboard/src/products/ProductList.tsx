import type { ProductReference } from '@keystall/contract/shapes/product-reference'
import { Link } from '@tanstack/react-router'
import { useMay } from '../stores/rights.ts'
import { formatMoney } from '../ui/money.ts'
import { ReorderCard } from '../ui/ReorderCard.tsx'
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
  return (
    <ReorderCard
      label="Products"
      rows={products}
      mayArrange={mayArrange}
      arrange={(arranged) => arrangeProducts(storeId, arranged)}
      rowClass="min-h-14 py-2 pr-2 [contain-intrinsic-size:auto_57px] [content-visibility:auto]"
    >
      {(product) => <ProductRow product={product} storeId={storeId} onDelete={() => onDelete(product)} />}
    </ReorderCard>
  )
}

function ProductRow({
  product,
  storeId,
  onDelete,
}: {
  product: ProductReference
  storeId: string
  onDelete: () => void
}) {
  return (
    <>
      <Thumbnail name={product.imageNames[0]} />
      <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 sm:flex sm:items-center sm:gap-x-6">
        <Link
          to="/stores/$storeId/products/$productId"
          params={{ storeId, productId: product.id }}
          className="min-w-0 flex-1 truncate rounded-control font-medium after:absolute after:inset-0"
        >
          {product.name}
        </Link>
        <span className="col-span-2 row-start-2 flex flex-wrap items-center gap-x-2.5 gap-y-1 sm:contents">
          <span className="sm:w-24">
            <Visibility visibility={product.visibility} />
          </span>
          <span className="text-sm sm:w-28">
            <Stock product={product} />
          </span>
          <span className="text-sm text-soft tabular-nums max-sm:hidden sm:w-20 sm:text-right">
            {product.amountSold.toLocaleString()} sold
          </span>
        </span>
        <span className="font-medium tabular-nums max-sm:col-start-2 max-sm:row-start-1 sm:w-28 sm:text-right">
          {formatMoney(product.cost, product.store.preferredCurrency)}
        </span>
      </span>
      <span className="relative z-10">
        <ProductMenu storeId={storeId} product={product} onDelete={onDelete} />
      </span>
    </>
  )
}
