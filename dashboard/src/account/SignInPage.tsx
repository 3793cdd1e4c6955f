import { SignInForm } from '@keystall/contract/endpoints/account'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Doorway } from '../ui/Doorway.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { PasswordInput } from '../ui/PasswordInput.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { signIn } from './account.ts'
import { safeNext } from './next.ts'
import { textLink } from '../ui/text-link.ts'
import { SignInCodePage } from './SignInCodePage.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { next } = route.useSearch()
  const [isCodeAsked, setIsCodeAsked] = useState(false)
  // A whole new page: what follows may be served with a policy of its own, as the consent page is.
  const proceed = () => location.assign(safeNext(next))
  const form = useForm({
    initial: { emailAddress: '', password: '' },
    send: signIn,
    onSent: ({ isTwoFactorRequired }) => (isTwoFactorRequired ? setIsCodeAsked(true) : proceed()),
  })
  if (isCodeAsked) {
    return (
      <SignInCodePage
        onSignedIn={proceed}
        onStartAgain={() => {
          form.revert({ ...form.values, password: '' })
          setIsCodeAsked(false)
        }}
      />
    )
  }
  return (
    <Doorway
      title="Sign in"
      below={
        <p>
          New here?{' '}
          <Link to="/sign-up" search={next === undefined ? {} : { next }} className={textLink}>
            Create an account
          </Link>
        </p>
      }
    >
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <Field label="E-mail" error={form.errorOf('emailAddress')}>
          <TextInput
            type="email"
            autoComplete="username"
            {...limits(SignInForm.properties.emailAddress)}
            {...form.text('emailAddress')}
          />
        </Field>
        <Field
          label="Password"
          error={form.errorOf('password')}
          aside={
            <Link
              to="/forgot-password"
              className="rounded-control text-sm font-medium text-accent-text hover:underline"
            >
              Forgot it?
            </Link>
          }
        >
          <PasswordInput
            autoComplete="current-password"
            {...limits(SignInForm.properties.password)}
            {...form.text('password')}
          />
        </Field>
        <Button type="submit" shape="primary" isBusy={form.isBusy}>
          Sign in
        </Button>
      </form>
    </Doorway>
  )
}
