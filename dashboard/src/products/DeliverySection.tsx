import type { Product } from '@keystall/contract/shapes/product'
import { Section } from '../ui/Card.tsx'
import { Field, FieldGroup } from '../ui/Field.tsx'
import { MarkdownInput } from '../ui/MarkdownInput.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { Switch } from '../ui/Switch.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { FileUpload } from './FileUpload.tsx'
import { ItemsCard } from './ItemsCard.tsx'
import type { ProductFormState } from './ProductFields.tsx'
import { TestRequest } from './TestRequest.tsx'

export function DeliverySection({
  form,
  product,
  storeId,
}: {
  form: ProductFormState
  product: Product
  storeId: string
}) {
  const { kind } = form.values
  const path = { storeId, productId: product.id }
  return (
    <Section title="Delivery" words="What a buyer gets, the moment the order is paid.">
      <div className="flex flex-col gap-6">
        <KindField form={form} />
        {kind === 'goods' ? (
          <>
            <ItemsCard path={path} />
            <FileUpload path={path} files={product.files} />
            <Switch
              label="Sell when out of stock"
              help="Orders wait, oldest first, until you append items."
              isOn={form.values.ignoreOutOfStock}
              onChange={(isOn) => form.set('ignoreOutOfStock', isOn)}
            />
          </>
        ) : (
          <>
            <WebhookField form={form} />
            <TestRequest form={form} storeId={storeId} productId={product.id} />
            <Switch
              label="Fall back to items"
              help="Deliver from the product's own items when the webhook's last try has failed."
              isOn={form.values.fallbackToItems}
              onChange={(isOn) => form.set('fallbackToItems', isOn)}
            />
            {form.values.fallbackToItems && <ItemsCard path={path} />}
          </>
        )}
        {kind === 'goods' && <WebhookField form={form} />}
        <Field
          label="Message with the delivery"
          error={form.errorOf('deliveryMessage')}
          help="Markdown. How to use what was bought, where to get help."
        >
          <MarkdownInput
            rows={4}
            value={form.values.deliveryMessage}
            onValue={(text) => form.set('deliveryMessage', text)}
          />
        </Field>
      </div>
    </Section>
  )
}

export function KindField({ form }: { form: ProductFormState }) {
  return (
    <FieldGroup label="What is handed over" error={form.errorOf('kind')}>
      <RadioGroup
        name="kind"
        value={form.values.kind}
        onChange={(kind) => form.set('kind', kind)}
        options={[
          {
            value: 'goods',
            label: 'Items or a file',
            help: 'Keys, codes and serials from a list, one each; a file to download; or both.',
          },
          { value: 'dynamic', label: 'What your webhook answers', help: 'Your own program decides at every sale.' },
        ]}
      />
    </FieldGroup>
  )
}

export function WebhookField({ form }: { form: ProductFormState }) {
  const isDynamic = form.values.kind === 'dynamic'
  return (
    <Field
      label={isDynamic ? 'Webhook' : 'Webhook, if you want to be told'}
      error={form.errorOf('webhookUrl')}
      help={
        isDynamic
          ? 'Asked with a signed POST at every sale. It answers with plain text, or with JSON: {"items": ["…"]}.'
          : 'Told of every delivery of this product, with a signed POST.'
      }
    >
      <TextInput
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        className="font-mono text-sm"
        {...form.text('webhookUrl')}
      />
    </Field>
  )
}
