import { PasswordForm } from '@keystall/contract/endpoints/account'
import type { Account } from '@keystall/contract/shapes/account'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { toast } from '../ui/Toast.tsx'
import { changePassword } from './account.ts'
import { NewPasswordField } from './NewPasswordField.tsx'
import { ProveFields } from './ProveFields.tsx'

export function PasswordSection({ account }: { account: Account }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section title="Password" words="Changing it ends all other sessions.">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="text-soft">
          Last set <RelativeTime at={account.lastPasswordUpdate} />
        </span>
        <Button onClick={() => setIsOpen(true)}>Change password</Button>
      </div>
      {isOpen && <PasswordDialog account={account} onClose={() => setIsOpen(false)} />}
    </Section>
  )
}

function PasswordDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const form = useForm({
    initial: { currentPassword: '', newPassword: '', code: '', revokeKeys: false },
    send: (values) => changePassword({ ...values, code: values.code || null }),
    onSent: () => {
      toast('Password changed')
      onClose()
    },
  })
  return (
    <Dialog title="Change password" onClose={onClose}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <ProveFields
          passwordLabel="Current password"
          password={form.text('currentPassword')}
          passwordError={form.errorOf('currentPassword')}
          code={form.text('code')}
          codeError={form.errorOf('code')}
          isTwoFactorEnabled={account.isTwoFactorEnabled}
        />
        <NewPasswordField
          label="New password"
          schema={PasswordForm.properties.newPassword}
          error={form.errorOf('newPassword')}
          {...form.text('newPassword')}
        />
        <Checkbox
          label="Revoke all API keys too"
          help="If somebody else may have had access to your account."
          checked={form.values.revokeKeys}
          onChange={(event) => form.set('revokeKeys', event.target.checked)}
        />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape="primary" isBusy={form.isBusy}>
            Change password
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
