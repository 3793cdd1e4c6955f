import { ProductForm } from '@keystall/contract/endpoints/products'
import { Section } from '../ui/Card.tsx'
import { Field, FieldGroup } from '../ui/Field.tsx'
import { limits, type useForm } from '../ui/form.tsx'
import { MarkdownInput } from '../ui/MarkdownInput.tsx'
import { NumberInput } from '../ui/MoneyInput.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { Select } from '../ui/Select.tsx'
import { Switch } from '../ui/Switch.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { WordList } from '../ui/WordList.tsx'
import type { ProductValues } from './product-form.ts'
import { visibilityOptions } from './Visibility.tsx'

/** What the fields need of a form; it may hold more than a product. */
export type ProductFormState = Pick<
  ReturnType<typeof useForm<ProductValues, unknown>>,
  'values' | 'set' | 'errorOf' | 'text'
>

const fields = ProductForm.properties

/** What every product has: the rest can wait. */
export function BasicFields({ form, currency }: { form: ProductFormState; currency: string }) {
  return (
    <>
      <Field label="Name" error={form.errorOf('name')}>
        <TextInput autoComplete="off" {...limits(fields.name)} {...form.text('name')} />
      </Field>
      <Field label="Price" error={form.errorOf('cost')} help="0 gives it away.">
        <NumberInput unit={currency} className="w-44" {...form.text('cost')} />
      </Field>
      <BillingField form={form} />
      <Field
        label="Description"
        error={form.errorOf('description')}
        help="Markdown. Pictures in it come from this site, after you upload them."
      >
        <MarkdownInput value={form.values.description} onValue={(text) => form.set('description', text)} />
      </Field>
    </>
  )
}

/** A subscription costs its price again each period. */
function BillingField({ form }: { form: ProductFormState }) {
  const { billing } = form.values
  return (
    <Field
      label="Paid"
      error={form.errorOf('subscriptionPeriod')}
      help={billing === 'once' ? undefined : 'Cards are charged again by themselves; other buyers get a link by mail.'}
    >
      <div className="flex flex-wrap gap-2">
        <div className="w-44">
          <Select
            value={billing}
            options={[
              { value: 'once', label: 'Once' },
              { value: 'days', label: 'Every so many days' },
              { value: 'months', label: 'Every so many months' },
            ]}
            onChange={(chosen) => form.set('billing', chosen)}
          />
        </div>
        {billing !== 'once' && (
          <NumberInput
            unit={billing}
            aria-label={`Number of ${billing}`}
            className="w-36"
            {...form.text('subscriptionPeriod')}
          />
        )}
      </div>
    </Field>
  )
}

export function VisibilityField({ form }: { form: ProductFormState }) {
  return (
    <FieldGroup label="Visibility" error={form.errorOf('visibility')}>
      {form.values.visibility === '3' ? (
        <p className="text-soft">The platform has put this product on hold. It cannot be seen or bought.</p>
      ) : (
        <RadioGroup
          name="visibility"
          value={form.values.visibility}
          options={visibilityOptions}
          onChange={(visibility) => form.set('visibility', visibility)}
        />
      )}
    </FieldGroup>
  )
}

export function ShownSection({ form }: { form: ProductFormState }) {
  return (
    <Section title="In the store" words="Who finds it, and how it is marked.">
      <div className="flex flex-col gap-6">
        <VisibilityField form={form} />
        <Switch
          label="Best seller"
          help="A mark on the store page, nothing else."
          isOn={form.values.isBestSeller}
          onChange={(isOn) => form.set('isBestSeller', isOn)}
        />
        <Field
          label="Tags"
          error={form.errorOf('tags')}
          help="Words by which buyers filter the store and the marketplace finds it. Enter adds one."
        >
          <WordList words={form.values.tags} max={50} maxLength={64} onChange={(tags) => form.set('tags', tags)} />
        </Field>
      </div>
    </Section>
  )
}

export function BuyingSection({ form }: { form: ProductFormState }) {
  return (
    <Section title="Buying" words="How much one order may hold, and what the buyer is asked.">
      <div className="flex flex-col gap-6">
        <div className="grid gap-6 sm:grid-cols-2">
          <Field label="Fewest an order" error={form.errorOf('minimumQuantity')}>
            <NumberInput unit="pieces" inputMode="numeric" {...form.text('minimumQuantity')} />
          </Field>
          <Field label="Most an order" error={form.errorOf('maximumQuantity')} help="Empty for no limit.">
            <NumberInput unit="pieces" inputMode="numeric" {...form.text('maximumQuantity')} />
          </Field>
        </div>
        <Field
          label="Asked of the buyer"
          error={form.errorOf('customValueKeys')}
          help="Fields to fill in at checkout, such as a nickname. Enter adds one, up to 20."
        >
          <WordList
            words={form.values.customValueKeys}
            max={20}
            maxLength={64}
            onChange={(keys) => form.set('customValueKeys', keys)}
          />
        </Field>
        <Switch
          label="Refuse buyers behind a VPN or proxy"
          isOn={form.values.shouldBlockVirtualPrivateNetworks}
          onChange={(isOn) => form.set('shouldBlockVirtualPrivateNetworks', isOn)}
        />
      </div>
    </Section>
  )
}
