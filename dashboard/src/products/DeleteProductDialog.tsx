import type { ProductReference } from '@keystall/contract/shapes/product-reference'
import { useMutation } from '@tanstack/react-query'
import { failureOf } from '../api.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { toast } from '../ui/Toast.tsx'
import { deleteProduct, restoreProduct } from './products.ts'

/** Names what will be lost. */
export function DeleteProductDialog({
  storeId,
  product,
  onClose,
  onDeleted,
}: {
  storeId: string
  product: Pick<ProductReference, 'id' | 'name' | 'amountSold'> & { stock?: number }
  onClose: () => void
  onDeleted?: () => void
}) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteProduct({ storeId, productId: product.id }),
    onSuccess: () => {
      toast(`${product.name} deleted`, {
        label: 'Undo',
        onAct: () =>
          void restoreProduct({ storeId, productId: product.id }).then(
            () => toast(`${product.name} is back`),
            (failure: unknown) => toast(`Not brought back: ${failureOf(failure).message}`),
          ),
      })
      onClose()
      onDeleted?.()
    },
  })
  const { stock = 0 } = product
  return (
    <ConfirmDialog
      title={`Delete ${product.name}?`}
      act="Delete product"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      It leaves the store and this list, with its pictures, its file and{' '}
      {stock > 0 ? `its ${stock.toLocaleString()} unsold items` : 'its items'}; right afterwards this can be undone.
      Orders keep what was delivered. To stop selling it instead, make it private.
    </ConfirmDialog>
  )
}
