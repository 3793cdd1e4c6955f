import { SignUpForm } from '@keystall/contract/endpoints/account'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Doorway } from '../ui/Doorway.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { signUp } from './account.ts'
import { CheckMailPage } from './CheckMailPage.tsx'
import { textLink } from '../ui/text-link.ts'
import { NewPasswordField } from './NewPasswordField.tsx'
import { firstReferrer } from './referrer.ts'

const route = getRouteApi('/sign-up')

export function SignUpPage() {
  const { ref, next } = route.useSearch()
  const [referralCode] = useState(() => firstReferrer(ref))
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({
    initial: { emailAddress: '', userName: '', password: '' },
    send: (values) => signUp({ ...values, referralCode }),
    onSent: (_, { emailAddress }) => setSentTo(emailAddress),
  })
  if (sentTo !== undefined) return <CheckMailPage emailAddress={sentTo} />
  return (
    <Doorway
      title="Create your account"
      words="Sell keys, files and everything else that arrives in a second."
      below={
        <p>
          Already have one?{' '}
          <Link to="/sign-in" search={next === undefined ? {} : { next }} className={textLink}>
            Sign in
          </Link>
        </p>
      }
    >
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <Field label="E-mail" error={form.errorOf('emailAddress')}>
          <TextInput
            type="email"
            autoComplete="email"
            {...limits(SignUpForm.properties.emailAddress)}
            {...form.text('emailAddress')}
          />
        </Field>
        <Field
          label="User name"
          error={form.errorOf('userName')}
          help="Letters, digits, dots, dashes and underscores. Shown beside your stores."
        >
          <TextInput autoComplete="nickname" {...limits(SignUpForm.properties.userName)} {...form.text('userName')} />
        </Field>
        <NewPasswordField
          label="Password"
          schema={SignUpForm.properties.password}
          error={form.errorOf('password')}
          {...form.text('password')}
        />
        <Button type="submit" shape="primary" isBusy={form.isBusy}>
          Create account
        </Button>
      </form>
    </Doorway>
  )
}
