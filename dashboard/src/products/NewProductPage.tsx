import type { Product } from '@keystall/contract/shapes/product'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useCurrentStore } from '../stores/current-store.ts'
import { StorePreview } from '../stores/StorePreview.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { Page } from '../ui/Page.tsx'
import { SaveGuard } from '../ui/SaveBar.tsx'
import { TextArea } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { KindField, WebhookField } from './DeliverySection.tsx'
import { EditorFrame } from '../ui/EditorFrame.tsx'
import { batchesOf, linesOf } from './item-lines.ts'
import { appendItems, reloadItems } from './items.ts'
import { BasicFields } from './ProductFields.tsx'
import { draftOf, formOf, newProduct } from './product-form.ts'
import { createProduct } from './products.ts'
import { TestRequest } from './TestRequest.tsx'

/** The few things a product needs to be sold; its own page has the rest. */
export function NewProductPage() {
  const store = useCurrentStore()
  const navigate = useNavigate()
  const created = useRef<Product>(undefined)
  const form = useForm({
    initial: { ...newProduct, items: '' },
    send: async ({ items, ...values }) => {
      // When the items could not be appended, the next try appends them to the same product.
      created.current ??= await createProduct(store.id, formOf(values))
      const product = created.current
      const path = { storeId: store.id, productId: product.id }
      if (values.kind === 'goods') {
        for (const batch of batchesOf(linesOf(items))) await appendItems(path, batch)
        await reloadItems(path)
      }
      return product
    },
    onSent: ({ id, name }) => {
      toast(`${name} is in the store`)
      void navigate({
        to: '/stores/$storeId/products/$productId',
        params: { storeId: store.id, productId: id },
        ignoreBlocker: true,
      })
    },
  })
  const { items: _items, ...values } = form.values
  return (
    <Page
      title="Create product"
      words="A name, a price and something to hand over. Pictures and all else come next."
      back={{ to: '/stores/$storeId/products', params: { storeId: store.id }, label: 'Products' }}
    >
      <EditorFrame preview={<StorePreview storeId={store.id} form={{ product: draftOf(values, undefined) }} />}>
        <Card className="p-4 sm:p-6">
          <form onSubmit={form.submit} noValidate className="flex flex-col gap-6">
            <FormFailure failure={form.failure} />
            <BasicFields form={form} currency={store.preferredCurrency} />
            <KindField form={form} />
            {form.values.kind === 'dynamic' ? (
              <>
                <WebhookField form={form} />
                <TestRequest form={form} storeId={store.id} productId={null} />
              </>
            ) : (
              <Field
                label="Items, one a line"
                error={form.errorOf('items')}
                help="Keys, codes or serials; you can add them later too, or a file."
              >
                <TextArea rows={4} spellCheck={false} className="font-mono text-sm" {...form.text('items')} />
              </Field>
            )}
            <div className="flex flex-col-reverse gap-2 border-t border-line pt-4 sm:flex-row sm:justify-end">
              <Link to="/stores/$storeId/products" params={{ storeId: store.id }} className={buttonClass('secondary')}>
                Cancel
              </Link>
              <Button type="submit" shape="primary" isBusy={form.isBusy}>
                Create product
              </Button>
            </div>
          </form>
        </Card>
      </EditorFrame>
      <SaveGuard isDirty={form.isDirty && !form.isBusy} />
    </Page>
  )
}
