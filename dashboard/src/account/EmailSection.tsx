import { EmailChangeForm } from '@keystall/contract/endpoints/account'
import type { Account } from '@keystall/contract/shapes/account'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { Notice } from '../ui/Notice.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { changeEmail } from './account.ts'
import { ProveFields } from './ProveFields.tsx'

export function EmailSection({ account }: { account: Account }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section title="E-mail" words="You sign in with it, and we write to it.">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="min-w-0 font-medium wrap-anywhere">{account.emailAddress}</span>
          <Button onClick={() => setIsOpen(true)}>Change e-mail</Button>
        </div>
        {account.pendingEmailAddress !== null && (
          <Notice kind="information">
            <span className="wrap-anywhere">
              {account.pendingEmailAddress} waits to be confirmed. Open the link in the mail that we sent there.
            </span>
          </Notice>
        )}
      </div>
      {isOpen && <EmailDialog account={account} onClose={() => setIsOpen(false)} />}
    </Section>
  )
}

function EmailDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const form = useForm({
    initial: { emailAddress: '', password: '', code: '' },
    send: (values) => changeEmail({ ...values, code: values.code || null }),
    onSent: onClose,
  })
  return (
    <Dialog title="Change e-mail" onClose={onClose}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <Field
          label="New e-mail"
          error={form.errorOf('emailAddress')}
          help="We send a link there. The old address stays until you open it."
        >
          <TextInput
            type="email"
            autoComplete="email"
            {...limits(EmailChangeForm.properties.emailAddress)}
            {...form.text('emailAddress')}
          />
        </Field>
        <ProveFields
          password={form.text('password')}
          passwordError={form.errorOf('password')}
          code={form.text('code')}
          codeError={form.errorOf('code')}
          isTwoFactorEnabled={account.isTwoFactorEnabled}
        />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape="primary" isBusy={form.isBusy}>
            Send link
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
