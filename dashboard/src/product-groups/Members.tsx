import type { ProductGroup } from '@keystall/contract/shapes/product-group'
import { useMutation, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { failureOf } from '../api.ts'
import { productsQuery } from '../products/products.ts'
import { Thumbnail } from '../products/Thumbnail.tsx'
import { useMay } from '../stores/rights.ts'
import { Section } from '../ui/Card.tsx'
import { Field } from '../ui/Field.tsx'
import { formatMoney } from '../ui/money.ts'
import { Notice } from '../ui/Notice.tsx'
import { Select } from '../ui/Select.tsx'
import { addToGroup, removeFromGroup } from './product-groups.ts'

/** Each change is saved at once; a product may be in several groups. */
export function Members({ storeId, group }: { storeId: string; group: ProductGroup }) {
  const products = useQuery(productsQuery(storeId))
  const mayUpdate = useMay('UpdateProducts')
  const path = { storeId, groupId: group.id }
  const add = useMutation({ mutationFn: (productId: string) => addToGroup(path, productId) })
  const remove = useMutation({ mutationFn: (productId: string) => removeFromGroup(path, productId) })
  const failure = add.error ?? remove.error
  const others = products.data?.filter(({ id }) => !group.products.some((member) => member.id === id)) ?? []
  return (
    <Section title="Products" words="In the order of the product list. Changes here are saved at once.">
      <div className="flex flex-col gap-4">
        {failure && <Notice kind="danger">{failureOf(failure).message}</Notice>}
        {group.products.length === 0 ? (
          <p className="text-soft">No products in this group yet.</p>
        ) : (
          <ul aria-label="Products of the group" className="flex flex-col">
            {group.products.map((product) => (
              <li key={product.id} className="flex min-h-12 items-center gap-3 border-line not-last:border-b">
                <Thumbnail name={product.imageNames[0]} />
                <span className="min-w-0 flex-1 truncate font-medium">{product.name}</span>
                <span className="tabular-nums">{formatMoney(product.cost, product.store.preferredCurrency)}</span>
                {mayUpdate && (
                  <button
                    type="button"
                    aria-label={`Take ${product.name} out of the group`}
                    disabled={remove.isPending}
                    onClick={() => remove.mutate(product.id)}
                    className="grid size-9 place-items-center rounded-control text-soft hover:bg-sunken hover:text-text pointer-coarse:size-11"
                  >
                    <X aria-hidden className="size-4" />
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {mayUpdate && others.length > 0 && (
          <Field label="Add a product">
            <Select
              value=""
              options={[
                { value: '', label: 'Choose a product' },
                ...others.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(id) => id !== '' && add.mutate(id)}
            />
          </Field>
        )}
      </div>
    </Section>
  )
}
