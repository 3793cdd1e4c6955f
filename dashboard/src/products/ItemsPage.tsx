import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Page } from '../ui/Page.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { AddItems } from './AddItems.tsx'
import { ItemList } from './ItemList.tsx'
import { productQuery, productsQuery } from './products.ts'

export function ItemsPage() {
  const store = useCurrentStore()
  const { productId } = useParams({ from: '/workbench/stores/$storeId/products/$productId/items' })
  const path = { storeId: store.id, productId }
  const product = useQuery(productQuery(store.id, productId))
  const products = useQuery(productsQuery(store.id))
  const stock = products.data?.find(({ id }) => id === productId)?.stock
  const mayUpdate = useMay('UpdateProducts')
  return (
    <Page
      title={product.data ? `Items of ${product.data.name}` : 'Items'}
      words="Keys, codes and serials. Each is handed over once, the oldest first."
      back={{ to: '/stores/$storeId/products/$productId', params: path, label: product.data?.name ?? 'Product' }}
    >
      {product.isError || products.isError ? (
        <ErrorState
          error={product.error ?? products.error}
          onRetry={() => {
            void product.refetch()
            void products.refetch()
          }}
        />
      ) : stock === undefined ? (
        <SkeletonRows />
      ) : (
        <>
          {mayUpdate && <AddItems path={path} />}
          <ItemList path={path} total={Math.max(0, stock)} mayUpdate={mayUpdate} />
        </>
      )}
    </Page>
  )
}
