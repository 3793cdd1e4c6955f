import { StoreForm } from '@keystall/contract/endpoints/stores'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { createStore } from './stores.ts'

export function OpenStoreDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { name: '', url: '' },
    send: createStore,
    onSent: (_, { name }) => {
      toast(`${name} is open`)
      onClose()
    },
  })
  return (
    <Dialog title="Open a store" onClose={onClose}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <Field label="Name" error={form.errorOf('name')} help="Customers read it at the top of the store.">
          <TextInput autoComplete="off" {...limits(StoreForm.properties.name)} {...form.text('name')} />
        </Field>
        <Field
          label="Label"
          error={form.errorOf('url')}
          help="The first word of the store's address: letters and digits, no spaces."
        >
          <TextInput
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono text-sm"
            {...limits(StoreForm.properties.url)}
            {...form.text('url')}
          />
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape="primary" isBusy={form.isBusy}>
            Open store
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
