import { ProductGroupForm } from '@keystall/contract/endpoints/product-groups'
import { useNavigate } from '@tanstack/react-router'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { createGroup } from './product-groups.ts'

export function NewGroupDialog({ storeId, onClose }: { storeId: string; onClose: () => void }) {
  const navigate = useNavigate()
  const form = useForm({
    initial: { name: '' },
    send: (values) => createGroup(storeId, values),
    onSent: (group) => {
      toast('Group created')
      void navigate({ to: '/stores/$storeId/product-groups/$groupId', params: { storeId, groupId: group.id } })
    },
  })
  return (
    <Dialog title="Create group" onClose={onClose}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <Field label="Name" error={form.errorOf('name')} help="Shown where the names of its products would be.">
          <TextInput autoComplete="off" {...limits(ProductGroupForm.properties.name)} {...form.text('name')} />
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape="primary" isBusy={form.isBusy}>
            Create group
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
