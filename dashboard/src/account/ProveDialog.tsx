import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { ProveFields } from './ProveFields.tsx'

export function ProveDialog<Result>({
  title,
  words,
  act,
  isDangerous = false,
  isCodeAsked,
  send,
  onSent,
  onClose,
}: {
  title: string
  words: string
  act: string
  isDangerous?: boolean
  isCodeAsked: boolean
  send: (proof: { password: string; code: string }) => Promise<Result>
  /** Also closes the dialog. */
  onSent: (result: Result) => void
  onClose: () => void
}) {
  const form = useForm({
    initial: { password: '', code: '' },
    send,
    onSent,
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <p className="text-soft">{words}</p>
        <FormFailure failure={form.failure} />
        <ProveFields
          password={form.text('password')}
          passwordError={form.errorOf('password')}
          code={form.text('code')}
          codeError={form.errorOf('code')}
          isTwoFactorEnabled={isCodeAsked}
        />
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
