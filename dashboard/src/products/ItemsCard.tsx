import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { type ProductPath, productsQuery } from './products.ts'

/** How many items there are, and the way to them. */
export function ItemsCard({ path }: { path: ProductPath }) {
  const products = useQuery(productsQuery(path.storeId))
  const product = products.data?.find(({ id }) => id === path.productId)
  return (
    <div className="flex flex-col gap-2">
      <span className="font-medium">Items</span>
      <div className="flex items-center justify-between gap-4 rounded-control border border-line py-2 pr-2 pl-3">
        {product ? (
          <span className="tabular-nums">{itemsInWords(product.stock)}</span>
        ) : (
          <Skeleton className="h-4 w-24" />
        )}
        <Link to="/stores/$storeId/products/$productId/items" params={path} className={buttonClass('secondary')}>
          {product && product.stock > 0 ? 'Edit items' : 'Add items'}
        </Link>
      </div>
    </div>
  )
}

function itemsInWords(stock: number) {
  if (stock <= 0) return 'None yet'
  return stock === 1 ? '1 in stock' : `${stock.toLocaleString()} in stock`
}
