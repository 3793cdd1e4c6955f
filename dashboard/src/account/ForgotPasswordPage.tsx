import { EmailForm } from '@keystall/contract/endpoints/account'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Doorway } from '../ui/Doorway.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { textLink } from '../ui/text-link.ts'
import { forgotPassword } from './account.ts'

export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({
    initial: { emailAddress: '' },
    send: forgotPassword,
    onSent: (_, { emailAddress }) => setSentTo(emailAddress),
  })
  const below = (
    <p>
      <Link to="/sign-in" className={textLink}>
        Back to sign in
      </Link>
    </p>
  )
  if (sentTo !== undefined) {
    return (
      <Doorway
        title="Check your mail"
        words={
          <>
            If <strong className="font-semibold text-text wrap-anywhere">{sentTo}</strong> has an account, a link to set
            a new password is on its way. It is good for 15 minutes.
          </>
        }
        below={below}
      />
    )
  }
  return (
    <Doorway title="Set a new password" words="We send a link to the e-mail address of your account." below={below}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <Field label="E-mail" error={form.errorOf('emailAddress')}>
          <TextInput
            type="email"
            autoComplete="username"
            {...limits(EmailForm.properties.emailAddress)}
            {...form.text('emailAddress')}
          />
        </Field>
        <Button type="submit" shape="primary" isBusy={form.isBusy}>
          Send link
        </Button>
      </form>
    </Doorway>
  )
}
