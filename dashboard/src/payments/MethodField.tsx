import type { PaymentSettingsField } from '@keystall/contract/shapes/payment-method'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Field } from '../ui/Field.tsx'
import { Select } from '../ui/Select.tsx'
import { TextArea, TextInput } from '../ui/TextInput.tsx'

/** One field of a method, by its kind. */
export function MethodField({
  field,
  value,
  error,
  onChange,
}: {
  field: PaymentSettingsField
  value: string | boolean
  error: string | undefined
  onChange: (value: string | boolean) => void
}) {
  if (field.kind === 'flag') {
    return (
      <Checkbox
        label={field.label}
        help={field.hint}
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
      />
    )
  }
  const text = String(value)
  const type = (event: { target: { value: string } }) => onChange(event.target.value)
  const aside = field.isRequired ? undefined : <span className="text-sm text-soft">Optional</span>
  return (
    <Field label={field.label} help={field.hint} error={error} aside={aside}>
      {field.kind === 'choice' ? (
        <Select
          value={text}
          options={field.choices.map((choice) => ({ value: choice, label: choice }))}
          onChange={onChange}
        />
      ) : field.kind === 'long' ? (
        <TextArea value={text} onChange={type} />
      ) : (
        <TextInput
          type={field.kind === 'secret' ? 'password' : field.kind === 'email' ? 'email' : 'text'}
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          data-1p-ignore
          spellCheck={false}
          className={field.kind === 'secret' ? 'font-mono' : ''}
          placeholder={field.kind === 'secret' && field.isSet ? 'Saved. Type to replace it.' : ''}
          value={text}
          onChange={type}
        />
      )}
    </Field>
  )
}
