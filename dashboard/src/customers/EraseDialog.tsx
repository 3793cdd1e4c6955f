import { ErasureForm } from '@keystall/contract/endpoints/customers'
import type { CustomerProfile } from '@keystall/contract/shapes/customer'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { eraseCustomer } from './customers.ts'

export function EraseDialog({ customer, onClose }: { customer: CustomerProfile; onClose: () => void }) {
  const store = useCurrentStore()
  const form = useForm({
    initial: { emailAddress: '' },
    send: (values) => eraseCustomer(store.id, customer.id, values),
    onSent: () => {
      toast('Customer erased')
      onClose()
    },
  })
  return (
    <Dialog title="Erase this customer?" onClose={onClose}>
      <p className="text-soft">
        Orders keep their amounts and lose the person: e-mail and IP address, browser, answers and messages. This cannot
        be undone. A block of the address stays.
      </p>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-4">
        <FormFailure failure={form.failure} />
        <Field
          label="Type the customer's e-mail address"
          error={form.errorOf('emailAddress')}
          help={<span className="wrap-anywhere">{customer.emailAddress}</span>}
        >
          <TextInput
            type="email"
            autoComplete="off"
            {...limits(ErasureForm.properties.emailAddress)}
            {...form.text('emailAddress')}
          />
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape="danger" isBusy={form.isBusy}>
            Erase customer
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
