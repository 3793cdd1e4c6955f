import { StoreForm } from '@keystall/contract/endpoints/stores'
import { useQuery } from '@tanstack/react-query'
import { productsQuery } from '../products/products.ts'
import { Section } from '../ui/Card.tsx'
import { Field } from '../ui/Field.tsx'
import { limits } from '../ui/form.tsx'
import { MarkdownInput } from '../ui/MarkdownInput.tsx'
import { Select } from '../ui/Select.tsx'
import { Switch } from '../ui/Switch.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { useCurrentStore } from './current-store.ts'
import { SettingsForm, type StoreFormState } from './SettingsForm.tsx'
import { SettingsFrame } from './SettingsFrame.tsx'
import { networks } from './store-form.ts'

const fields = StoreForm.properties
const names = new Intl.DisplayNames(undefined, { type: 'currency' })
const currencies = Intl.supportedValuesOf('currency').map((code) => ({
  value: code,
  label: `${code} · ${names.of(code) ?? code}`,
}))

export function GeneralPage() {
  return (
    <SettingsFrame words="What the store is called, says and shows.">
      <SettingsForm>
        {(form) => (
          <>
            <StoreSection form={form} />
            <HomeSection form={form} />
            <ShownSection form={form} />
            <ElsewhereSection form={form} />
          </>
        )}
      </SettingsForm>
    </SettingsFrame>
  )
}

function StoreSection({ form }: { form: StoreFormState }) {
  return (
    <Section title="Store">
      <div className="flex flex-col gap-6">
        <Field label="Name" error={form.errorOf('name')}>
          <TextInput autoComplete="off" {...limits(fields.name)} {...form.text('name')} />
        </Field>
        <Field
          label="Label"
          error={form.errorOf('url')}
          help="The first word of the store's address. Links to the former one stop working."
        >
          <TextInput
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono text-sm"
            {...limits(fields.url)}
            {...form.text('url')}
          />
        </Field>
        <Field label="Title in the browser" error={form.errorOf('title')} help="The name, unless you write one.">
          <TextInput autoComplete="off" maxLength={256} {...form.text('title')} />
        </Field>
        <Field
          label="Currency"
          error={form.errorOf('preferredCurrency')}
          help="Prices keep their number when you change it: 10 USD become 10 EUR."
        >
          <Select
            value={form.values.preferredCurrency}
            options={currencies}
            onChange={(currency) => form.set('preferredCurrency', currency)}
          />
        </Field>
      </div>
    </Section>
  )
}

function HomeSection({ form }: { form: StoreFormState }) {
  const store = useCurrentStore()
  const products = useQuery(productsQuery(store.id))
  return (
    <Section title="Home page" words="Texts are in markdown.">
      <div className="flex flex-col gap-6">
        <Field label="Leading text" error={form.errorOf('leadingText')} help="A line above the description.">
          <TextInput maxLength={1000} {...form.text('leadingText')} />
        </Field>
        <Field label="Description" error={form.errorOf('description')}>
          <MarkdownInput value={form.values.description} onValue={(text) => form.set('description', text)} />
        </Field>
        <Field label="Announcement" error={form.errorOf('announcement')} help="Stands out at the top.">
          <MarkdownInput rows={3} value={form.values.announcement} onValue={(text) => form.set('announcement', text)} />
        </Field>
        <Field label="Featured product" error={form.errorOf('featuredProductId')}>
          <Select
            value={form.values.featuredProductId}
            options={[
              { value: '', label: 'None' },
              ...(products.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(id) => form.set('featuredProductId', id)}
          />
        </Field>
        <Field
          label="About you"
          error={form.errorOf('sellerMessage')}
          help="With your profile and on the contact page."
        >
          <MarkdownInput
            rows={3}
            value={form.values.sellerMessage}
            onValue={(text) => form.set('sellerMessage', text)}
          />
        </Field>
      </div>
    </Section>
  )
}

function ShownSection({ form }: { form: StoreFormState }) {
  return (
    <Section title="Shown and sent">
      <div className="flex flex-col gap-4">
        <Switch
          label="Hide the number of visits"
          isOn={form.values.hideViewCount}
          onChange={(isOn) => form.set('hideViewCount', isOn)}
        />
        <Switch
          label="Hide every statistic"
          help="Sales, ratings, resolved tickets and visits."
          isOn={form.values.hideStatistics}
          onChange={(isOn) => form.set('hideStatistics', isOn)}
        />
        <Switch
          label="Mail the items"
          help="Off: the mail about a delivery holds only the link to the order."
          isOn={form.values.areItemsMailed}
          onChange={(isOn) => form.set('areItemsMailed', isOn)}
        />
      </div>
    </Section>
  )
}

function ElsewhereSection({ form }: { form: StoreFormState }) {
  const accounts = form.values.socialMediaAccounts
  return (
    <Section title="Elsewhere" words="Addresses become links; anything else is shown as it is.">
      <div className="grid gap-6 sm:grid-cols-2">
        {networks.map(({ name, label }) => (
          <Field key={name} label={label}>
            <TextInput
              autoComplete="off"
              maxLength={256}
              value={accounts[name]}
              onChange={(event) => form.set('socialMediaAccounts', { ...accounts, [name]: event.target.value })}
            />
          </Field>
        ))}
      </div>
    </Section>
  )
}
