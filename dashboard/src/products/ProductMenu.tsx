import type { ProductReference } from '@keystall/contract/shapes/product-reference'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Ellipsis, ExternalLink, ListPlus, Trash2 } from 'lucide-react'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useRights } from '../stores/rights.ts'
import { storeAddress } from '../stores/store-address.ts'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { toast } from '../ui/Toast.tsx'
import { duplicateProduct } from './products.ts'

export function ProductMenu({
  storeId,
  product,
  onDelete,
}: {
  storeId: string
  product: ProductReference
  onDelete: () => void
}) {
  const may = useRights()
  const store = useCurrentStore()
  const navigate = useNavigate()
  const path = { storeId, productId: product.id }
  const { mutate: duplicate } = useMutation({
    mutationFn: () => duplicateProduct(path),
    onSuccess: (copy) => {
      toast('Product copied; the copy is private')
      if (copy) void navigate({ to: '/stores/$storeId/products/$productId', params: { storeId, productId: copy.id } })
    },
    onError: (error) => toast(`Not copied: ${failureOf(error).message}`),
  })
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`More about ${product.name}`}
          className="grid size-9 place-items-center rounded-control text-soft transition-colors hover:bg-sunken hover:text-text pointer-coarse:size-11"
        >
          <Ellipsis aria-hidden className="size-4" />
        </button>
      }
    >
      {!product.isDynamic && may('UpdateProducts') && (
        <MenuItem onSelect={() => void navigate({ to: '/stores/$storeId/products/$productId/items', params: path })}>
          <ListPlus aria-hidden />
          Edit items
        </MenuItem>
      )}
      {product.visibility < 2 && (
        <MenuItem onSelect={() => window.open(storeAddress(store, `/product/${product.id}`), '_blank', 'noreferrer')}>
          <ExternalLink aria-hidden />
          Open in the store
        </MenuItem>
      )}
      {may('CreateProducts') && (
        <MenuItem onSelect={() => duplicate()}>
          <Copy aria-hidden />
          Duplicate
        </MenuItem>
      )}
      {may('DeleteProducts') && (
        <MenuItem isDangerous onSelect={onDelete}>
          <Trash2 aria-hidden />
          Delete
        </MenuItem>
      )}
    </Menu>
  )
}
