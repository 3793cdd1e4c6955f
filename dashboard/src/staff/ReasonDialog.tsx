import { ReasonForm } from '@keystall/contract/endpoints/staff'
import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { TextArea } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'

/** Staff say why: the words stand in the log. */
export function ReasonDialog({
  title,
  act,
  label = 'Reason',
  help = 'The seller reads it, and it stands in the log.',
  isDangerous = false,
  send,
  done,
  onClose,
  children,
}: {
  title: string
  act: string
  label?: string
  help?: string
  isDangerous?: boolean
  send: (reason: string) => Promise<void>
  /** Told when it is done. */
  done: string
  onClose: () => void
  children?: ReactNode
}) {
  const form = useForm({
    initial: { reason: '' },
    send: ({ reason }) => send(reason),
    onSent: () => {
      toast(done)
      onClose()
    },
  })
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-4">
        <FormFailure failure={form.failure} />
        <Field label={label} error={form.errorOf('reason')} help={help}>
          <TextArea rows={4} {...limits(ReasonForm.properties.reason)} {...form.text('reason')} />
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape={isDangerous ? 'danger' : 'primary'} isBusy={form.isBusy}>
            {act}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
