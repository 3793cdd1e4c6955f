import { CouponForm } from '@keystall/contract/endpoints/coupons'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Field, FieldGroup } from '../ui/Field.tsx'
import { limits, type useForm } from '../ui/form.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import type { CouponValues } from './coupon-form.ts'
import { productNamesQuery } from './coupons.ts'

type Form = ReturnType<typeof useForm<CouponValues, unknown>>

const productsAtOnce = 8

export function CouponFields({ form }: { form: Form }) {
  return (
    <>
      <Field
        label="Code"
        error={form.errorOf('name')}
        help="What the buyer types at checkout. Upper and lower case differ."
      >
        <TextInput
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="font-mono"
          {...limits(CouponForm.properties.name)}
          {...form.text('name')}
        />
      </Field>
      <Field
        label="Percent off"
        error={form.errorOf('percentageDecrease')}
        help="Of the order's total. 100 makes it free."
      >
        <TextInput inputMode="decimal" className="max-w-32" {...form.text('percentageDecrease')} />
      </Field>
      <FieldGroup label="How often">
        <RadioGroup
          name="limit"
          value={form.values.limit}
          onChange={(limit) => form.set('limit', limit)}
          options={[
            { value: 'none', label: 'Any number of times' },
            { value: 'some', label: 'Only so many times, by all buyers together' },
          ]}
        />
        {form.values.limit === 'some' && (
          <div className="ml-6.5">
            <Field label="Uses" error={form.errorOf('maximumUsages')}>
              <TextInput inputMode="numeric" className="max-w-32" {...form.text('maximumUsages')} />
            </Field>
          </div>
        )}
      </FieldGroup>
      <ProductChoice form={form} />
      <Checkbox
        label="Enabled"
        help="A disabled coupon is refused at checkout and keeps its count."
        checked={form.values.isEnabled}
        onChange={(event) => form.set('isEnabled', event.target.checked)}
      />
    </>
  )
}

/** None chosen is every product, those made later included. */
function ProductChoice({ form }: { form: Form }) {
  const store = useCurrentStore()
  const mayView = useMay('ViewProducts')
  const products = useQuery({ ...productNamesQuery(store.id), enabled: mayView })
  const [isAll, setIsAll] = useState(form.values.enabledProductIds.length === 0)
  const [wanted, setWanted] = useState('')
  const chosen = form.values.enabledProductIds
  const found = (products.data ?? []).filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()))
  return (
    <FieldGroup label="Products" error={form.errorOf('enabledProductIds')}>
      <RadioGroup
        name="products"
        value={isAll ? 'all' : 'some'}
        onChange={(choice) => {
          setIsAll(choice === 'all')
          if (choice === 'all') form.set('enabledProductIds', [])
        }}
        options={[
          { value: 'all', label: 'Every product', help: 'Also those that you add later' },
          { value: 'some', label: 'Only some products' },
        ]}
      />
      {!isAll && (
        <div className="ml-6.5 flex animate-appear flex-col gap-2 border-l border-line pl-4">
          {!mayView && <span className="text-soft">You may not see this store's products.</span>}
          {products.data && products.data.length > productsAtOnce && (
            <TextInput
              aria-label="Find a product"
              placeholder="Find a product"
              value={wanted}
              onChange={(event) => setWanted(event.target.value)}
            />
          )}
          <div className="flex max-h-72 flex-col gap-2 overflow-y-auto p-0.5">
            {found.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={<span className="wrap-anywhere">{name}</span>}
                checked={chosen.includes(id)}
                onChange={(event) =>
                  form.set(
                    'enabledProductIds',
                    event.target.checked ? [...chosen, id] : chosen.filter((productId) => productId !== id),
                  )
                }
              />
            ))}
            {products.data && found.length === 0 && <span className="text-soft">No product has this name.</span>}
          </div>
        </div>
      )}
    </FieldGroup>
  )
}
