import { PasswordResetForm } from '@keystall/contract/endpoints/account'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Doorway } from '../ui/Doorway.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { resetPassword } from './account.ts'
import { textLink } from '../ui/text-link.ts'
import { NewPasswordField } from './NewPasswordField.tsx'

const route = getRouteApi('/reset-password')

export function ResetPasswordPage() {
  const { token = '' } = route.useSearch()
  const [isDone, setIsDone] = useState(false)
  const form = useForm({
    initial: { password: '', revokeKeys: false },
    send: (values) => resetPassword({ ...values, token }),
    onSent: () => setIsDone(true),
  })
  if (isDone) {
    return (
      <Doorway title="Your password is set" words="All sessions have ended. Sign in with the new password.">
        <Link to="/sign-in" className={buttonClass('primary')}>
          Sign in
        </Link>
      </Doorway>
    )
  }
  return (
    <Doorway
      title="Choose a new password"
      words="All your sessions end when you save it."
      below={
        <p>
          Link too old?{' '}
          <Link to="/forgot-password" className={textLink}>
            Ask for a new one
          </Link>
        </p>
      }
    >
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <NewPasswordField
          label="New password"
          schema={PasswordResetForm.properties.password}
          error={form.errorOf('password')}
          {...form.text('password')}
        />
        <Checkbox
          label="Revoke all API keys too"
          help="If somebody else may have had access to your account."
          checked={form.values.revokeKeys}
          onChange={(event) => form.set('revokeKeys', event.target.checked)}
        />
        <Button type="submit" shape="primary" isBusy={form.isBusy}>
          Save password
        </Button>
      </form>
    </Doorway>
  )
}
