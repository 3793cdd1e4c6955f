import type { ComponentProps } from 'react'
import type { TSchema } from 'typebox'
import { Field } from '../ui/Field.tsx'
import { limits } from '../ui/form.tsx'
import { PasswordInput, PasswordStrength } from '../ui/PasswordInput.tsx'

export function NewPasswordField({
  label,
  schema,
  error,
  value,
  ...rest
}: ComponentProps<'input'> & { label: string; schema: TSchema; error: string | undefined; value: string }) {
  const { minLength = 0, maxLength } = limits(schema)
  return (
    <Field label={label} error={error} help={<PasswordStrength password={value} lengthMin={minLength} />}>
      <PasswordInput autoComplete="new-password" maxLength={maxLength} value={value} {...rest} />
    </Field>
  )
}
