import { CustomerBlockForm } from '@keystall/contract/endpoints/customers'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { Select } from '../ui/Select.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { block } from './customers.ts'

type Kind = CustomerBlockForm['kind']

const kinds: { value: Kind; label: string }[] = [
  { value: 'email', label: 'E-mail address or domain' },
  { value: 'address', label: 'IP address or network' },
  { value: 'country', label: 'Country' },
]

const examples: Record<Kind, string> = {
  email: 'ada@example.com, or @example.com for everybody there.',
  address: '203.0.113.7, or 203.0.113.0/24 for a network.',
  country: 'The two letters of the country, such as DE.',
}

export function BlockDialog({
  initial = { kind: 'email', value: '', reason: '' },
  onClose,
}: {
  initial?: { kind: Kind; value: string; reason: string }
  onClose: () => void
}) {
  const store = useCurrentStore()
  const form = useForm({
    initial,
    send: ({ kind, value, reason }) => block(store.id, { kind, value, reason: reason.trim() || null }),
    onSent: ({ value }) => {
      toast(`${value} is blocked`)
      onClose()
    },
  })
  return (
    <Dialog title="Block orders" onClose={onClose}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <p className="text-soft">New orders from there are refused. Orders that are already paid stay as they are.</p>
        <FormFailure failure={form.failure} />
        <Field label="What" error={form.errorOf('kind')}>
          <Select value={form.values.kind} options={kinds} onChange={(kind) => form.set('kind', kind)} />
        </Field>
        <Field label="Value" error={form.errorOf('value')} help={examples[form.values.kind]}>
          <TextInput
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...limits(CustomerBlockForm.properties.value)}
            {...form.text('value')}
          />
        </Field>
        <Field label="Reason" error={form.errorOf('reason')} help="For members of this store; optional.">
          <TextInput maxLength={2048} {...form.text('reason')} />
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape="danger" isBusy={form.isBusy}>
            Block orders
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
