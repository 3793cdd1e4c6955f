import { StoreForm } from '@keystall/contract/endpoints/stores'
import { useState } from 'react'
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
  const name = form.text('name')
  const label = form.text('url')
  /** Follows the name until somebody writes one. */
  const [isOwn, setIsOwn] = useState(false)
  return (
    <Dialog title="Open a store" onClose={onClose}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <Field label="Name" error={form.errorOf('name')} help="Customers read it at the top of the store.">
          <TextInput
            autoComplete="off"
            {...limits(StoreForm.properties.name)}
            {...name}
            onChange={(event) => {
              name.onChange(event)
              if (!isOwn) form.set('url', labelOf(event.target.value))
            }}
          />
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
            {...label}
            onChange={(event) => {
              label.onChange(event)
              setIsOwn(event.target.value !== '')
            }}
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

/** Of `Müller's Keys` it is `mullerskeys`. */
function labelOf(name: string) {
  return name
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9]/g, '')
    .toLowerCase()
    .slice(0, 63)
}
