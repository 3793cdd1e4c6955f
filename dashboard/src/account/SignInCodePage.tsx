import { CodeForm } from '@keystall/contract/endpoints/account'
import { Button } from '../ui/Button.tsx'
import { Doorway } from '../ui/Doorway.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { signInWithCode } from './account.ts'
import { CodeInput } from './CodeInput.tsx'

/** The second step of signing in. */
export function SignInCodePage({ onSignedIn, onStartAgain }: { onSignedIn: () => void; onStartAgain: () => void }) {
  const form = useForm({ initial: { code: '' }, send: signInWithCode, onSent: onSignedIn })
  return (
    <Doorway
      title="Enter your code"
      words="Your account is protected by a second factor."
      below={
        <Button shape="quiet" onClick={onStartAgain}>
          Sign in as somebody else
        </Button>
      }
    >
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <Field
          label="Code"
          error={form.errorOf('code')}
          help="From your authenticator app, or one of your recovery codes."
        >
          <CodeInput {...limits(CodeForm.properties.code)} {...form.text('code')} />
        </Field>
        <Button type="submit" shape="primary" isBusy={form.isBusy}>
          Continue
        </Button>
      </form>
    </Doorway>
  )
}
