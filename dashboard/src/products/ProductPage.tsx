import { CallFailure } from '@keystall/contract/client'
import type { Product } from '@keystall/contract/shapes/product'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ExternalLink, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { StorePreview } from '../stores/StorePreview.tsx'
import { storeAddress } from '../stores/store-address.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { Page } from '../ui/Page.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'
import { DeleteProductDialog } from './DeleteProductDialog.tsx'
import { DeliverySection } from './DeliverySection.tsx'
import { EditorFrame } from '../ui/EditorFrame.tsx'
import { PaymentSection } from './PaymentSection.tsx'
import { PicturesSection } from './PicturesSection.tsx'
import { BasicFields, BuyingSection, ShownSection } from './ProductFields.tsx'
import { changedFees, draftOf, formOf, type ProductValues, valuesOf } from './product-form.ts'
import { productQuery, reloadProducts, setFee, updateProduct } from './products.ts'

export function ProductPage() {
  const store = useCurrentStore()
  const { productId } = useParams({ from: '/workbench/stores/$storeId/products/$productId' })
  const product = useQuery(productQuery(store.id, productId))
  const navigate = useNavigate()
  const mayDelete = useMay('DeleteProducts')
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <Page
      title={product.data?.name ?? 'Product'}
      back={{ to: '/stores/$storeId/products', params: { storeId: store.id }, label: 'Products' }}
      act={
        product.data && (
          <span className="flex flex-wrap gap-2">
            {product.data.visibility < 2 && (
              <a
                href={storeAddress(store, `/product/${productId}`)}
                target="_blank"
                rel="noreferrer"
                className={buttonClass('secondary')}
              >
                <ExternalLink aria-hidden />
                Open in the store
              </a>
            )}
            {mayDelete && (
              <Button shape="dangerQuiet" onClick={() => setIsDeleting(true)}>
                <Trash2 aria-hidden />
                Delete
              </Button>
            )}
          </span>
        )
      }
    >
      {product.isPending ? (
        <SkeletonForm fields={5} />
      ) : product.isError ? (
        <ErrorState error={product.error} onRetry={() => void product.refetch()} />
      ) : (
        <ProductEditor key={product.data.id} product={product.data} />
      )}
      {isDeleting && product.data && (
        <DeleteProductDialog
          storeId={store.id}
          product={product.data}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => void navigate({ to: '/stores/$storeId/products', params: { storeId: store.id } })}
        />
      )}
    </Page>
  )
}

function ProductEditor({ product }: { product: Product }) {
  const store = useCurrentStore()
  const mayUpdate = useMay('UpdateProducts')
  const path = { storeId: store.id, productId: product.id }

  async function save(values: ProductValues) {
    await updateProduct(path, formOf(values))
    try {
      for (const fee of changedFees(values, product.additionalFees)) await setFee(path, fee)
    } catch (error) {
      throw error instanceof CallFailure ? feeFailure(error) : error
    } finally {
      await reloadProducts(store.id)
    }
  }

  const form = useForm<ProductValues, unknown>({
    initial: valuesOf(product),
    send: save,
    onSent: () => toast('Product saved'),
  })
  return (
    <EditorFrame preview={<StorePreview storeId={store.id} form={{ product: draftOf(form.values, product) }} />}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-8">
        <FormFailure failure={form.failure} />
        <fieldset disabled={!mayUpdate} className="flex min-w-0 flex-col gap-8">
          <Section title="Product" words="What buyers see first.">
            <div className="flex flex-col gap-6">
              <BasicFields form={form} currency={store.preferredCurrency} />
            </div>
          </Section>
          <PicturesSection path={path} product={product} />
          <DeliverySection form={form} product={product} storeId={store.id} />
          <ShownSection form={form} />
          <BuyingSection form={form} />
          <PaymentSection form={form} />
        </fieldset>
        <SaveBar isDirty={form.isDirty} isBusy={form.isBusy} onRevert={() => form.revert()} />
      </form>
    </EditorFrame>
  )
}

/** Beside the fees, where it belongs: the rest of the product is saved. */
function feeFailure({ status, message, code, invalidFields, requestId }: CallFailure) {
  return new CallFailure(status, {
    message,
    ...(code === 'Unreachable' ? {} : { code }),
    invalidFields: invalidFields.map(({ reason }) => ({ fieldName: 'fees', reason: `a fee ${reason}` })),
    ...(requestId === undefined ? {} : { requestId }),
  })
}
