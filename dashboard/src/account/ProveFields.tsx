import { Field } from '../ui/Field.tsx'
import { PasswordInput } from '../ui/PasswordInput.tsx'
import { CodeInput } from './CodeInput.tsx'

interface TextControl {
  name: string
  value: string
  onChange: (event: React.ChangeEvent<HTMLInputElement>) => void
}

/** Password and, where it is on, second factor: asked again before what an old session must not do. */
export function ProveFields({
  passwordLabel = 'Password',
  password,
  passwordError,
  code,
  codeError,
  isTwoFactorEnabled,
}: {
  passwordLabel?: string
  password: TextControl
  passwordError: string | undefined
  code: TextControl
  codeError: string | undefined
  isTwoFactorEnabled: boolean
}) {
  return (
    <>
      <Field label={passwordLabel} error={passwordError}>
        <PasswordInput autoComplete="current-password" {...password} />
      </Field>
      {isTwoFactorEnabled && (
        <Field label="Code" error={codeError} help="From your authenticator app, or a recovery code.">
          <CodeInput {...code} />
        </Field>
      )}
    </>
  )
}
