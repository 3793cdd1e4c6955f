import type { ProductReference } from '@keystall/contract/shapes/product-reference'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Package, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { FilterBar, FilterChip, SearchBox } from '../ui/Filters.tsx'
import { Page } from '../ui/Page.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { CatalogueTabs } from './CatalogueTabs.tsx'
import { DeleteProductDialog } from './DeleteProductDialog.tsx'
import { isMeant, kindOptions, type ProductFilter, stockOptions } from './filter.ts'
import { ProductList } from './ProductList.tsx'
import { productsQuery } from './products.ts'
import { visibilityOptions } from './Visibility.tsx'

const route = getRouteApi('/workbench/stores/$storeId/products')

export function ProductsPage() {
  const store = useCurrentStore()
  const products = useQuery(productsQuery(store.id))
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const [deleting, setDeleting] = useState<ProductReference>()
  const narrow = (change: Partial<ProductFilter>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const create = useMay('CreateProducts') && (
    <Link to="/stores/$storeId/products/new" params={{ storeId: store.id }} className={buttonClass('primary')}>
      <Plus aria-hidden />
      Create product
    </Link>
  )
  const shown = products.data?.filter((product) => isMeant(product, filter)) ?? []
  const isNarrowed = Object.values(filter).some((value) => value !== undefined)
  return (
    <Page
      title="Products"
      words="What the store sells, in the order shown."
      act={products.data?.length ? create : undefined}
    >
      <CatalogueTabs />
      {products.isPending ? (
        <SkeletonRows count={6} />
      ) : products.isError ? (
        <ErrorState error={products.error} onRetry={() => void products.refetch()} />
      ) : products.data.length === 0 ? (
        <EmptyState
          icon={Package}
          title="No products yet"
          words="A product hands over keys from a list, a file, or what your own program answers. A name and a price are enough to begin."
          act={create}
        />
      ) : (
        <>
          <FilterBar>
            <SearchBox label="Search products" value={filter.q} onChange={(q) => narrow({ q })} />
            <FilterChip
              label="Visibility"
              value={filter.visibility}
              options={visibilityOptions}
              onChange={(visibility) => narrow({ visibility })}
            />
            <FilterChip label="Kind" value={filter.kind} options={kindOptions} onChange={(kind) => narrow({ kind })} />
            <FilterChip
              label="Stock"
              value={filter.stock}
              options={stockOptions}
              onChange={(stock) => narrow({ stock })}
            />
          </FilterBar>
          {shown.length === 0 ? (
            <EmptyState
              icon={SearchX}
              title="Nothing found"
              words="No product is like that."
              act={
                <Button
                  onClick={() => narrow({ q: undefined, visibility: undefined, kind: undefined, stock: undefined })}
                >
                  Show all products
                </Button>
              }
            />
          ) : (
            <ProductList storeId={store.id} products={shown} isNarrowed={isNarrowed} onDelete={setDeleting} />
          )}
        </>
      )}
      {deleting && <DeleteProductDialog storeId={store.id} product={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  )
}
