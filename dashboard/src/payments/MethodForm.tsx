import type { PaymentMethodSettings, PaymentSettingsField } from '@keystall/contract/shapes/payment-method'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '../account/account.ts'
import { ProveFields } from '../account/ProveFields.tsx'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { MethodField } from './MethodField.tsx'
import { WalletWords } from './WalletWords.tsx'
import { forgetPaymentMethod, savePaymentMethod, testPaymentMethod } from './payments.ts'

/** What the method asks for, printed from its own fields, with a password: it decides where money goes. */
export function MethodForm({ method, onClose }: { method: PaymentMethodSettings; onClose: () => void }) {
  const store = useCurrentStore()
  const { data: account } = useSuspenseQuery(accountQuery)
  const path = { storeId: store.id, method: method.id }
  const [words, setWords] = useState<string | null>(null)
  const initial: Values = { ...initialOf(method.fields), password: '', code: '' }
  const form = useForm({
    initial,
    send: (values) =>
      savePaymentMethod(path, {
        settings: settingsOf(method.fields, values),
        isEnabled: method.isEnabled || !method.isSetUp,
        password: String(values['password']),
        code: values['code'] === '' ? null : String(values['code']),
      }),
    onSent: ({ shownOnce }) => {
      toast(`${method.name} saved`)
      if (shownOnce === null) onClose()
      else setWords(shownOnce)
    },
  })
  const proof = (name: 'password' | 'code') => ({
    name,
    value: String(form.values[name] ?? ''),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => form.set(name, event.target.value),
  })
  if (words !== null) return <WalletWords words={words} name={method.name} onDone={onClose} />
  return (
    <form
      onSubmit={form.submit}
      noValidate
      className="flex animate-appear flex-col gap-6 border-t border-line p-4 sm:p-6"
    >
      <FormFailure failure={form.failure} />
      {method.facts.map(({ label, value }) => (
        <Field key={label} label={label}>
          <div className="flex gap-2">
            <TextInput readOnly value={value} className="font-mono text-sm" />
            <CopyButton text={value} label="Copy" />
          </div>
        </Field>
      ))}
      {method.fields.map((field) => (
        <MethodField
          key={field.name}
          field={field}
          value={form.values[nameOf(field)] ?? ''}
          error={form.errorOf(nameOf(field))}
          onChange={(value) => form.set(nameOf(field), value)}
        />
      ))}
      <div className="flex flex-col gap-4 border-t border-line pt-6">
        <ProveFields
          passwordLabel="Your password"
          password={proof('password')}
          passwordError={form.errorOf('password')}
          code={proof('code')}
          codeError={form.errorOf('code')}
          isTwoFactorEnabled={account.isTwoFactorEnabled}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" shape="primary" isBusy={form.isBusy}>
          Save {method.name.toLowerCase()}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        {method.isSetUp && <TestButton path={path} />}
        {method.isSetUp && <ForgetButton path={path} name={method.name} onDone={onClose} />}
      </div>
    </form>
  )
}

function TestButton({ path }: { path: { storeId: string; method: string } }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => testPaymentMethod(path),
    onSuccess: ({ problem }) => toast(problem ?? 'The settings work'),
    onError: (error) => toast(failureOf(error).message),
  })
  return (
    <Button shape="quiet" isBusy={isPending} onClick={() => mutate()}>
      Try the saved settings
    </Button>
  )
}

function ForgetButton({
  path,
  name,
  onDone,
}: {
  path: { storeId: string; method: string }
  name: string
  onDone: () => void
}) {
  const [isAsking, setIsAsking] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => forgetPaymentMethod(path),
    onSuccess: () => {
      toast(`${name} forgotten`)
      onDone()
    },
  })
  return (
    <>
      <Button shape="dangerQuiet" className="sm:ml-auto" onClick={() => setIsAsking(true)}>
        Forget
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Forget ${name}?`}
          act="Forget settings"
          isBusy={isPending}
          failure={error ? failureOf(error).message : undefined}
          onConfirm={() => mutate()}
          onClose={() => setIsAsking(false)}
        >
          Its keys are deleted. Orders that wait for a payment by this method can no longer be paid, and refunds through
          it are no longer possible. To pause it instead, switch it off.
        </ConfirmDialog>
      )}
    </>
  )
}

type Values = Record<string, string | boolean>

/** As the API names the field when it refuses it. */
function nameOf({ name }: PaymentSettingsField): string {
  return `settings.${name}`
}

function initialOf(fields: readonly PaymentSettingsField[]): Values {
  return Object.fromEntries(
    fields.map((field) => [
      nameOf(field),
      field.kind === 'flag' ? field.value === true : field.value === null ? '' : String(field.value),
    ]),
  )
}

function settingsOf(fields: readonly PaymentSettingsField[], values: Values): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const field of fields) {
    const value = values[nameOf(field)] ?? ''
    // An empty field that must be filled in is left out: the API then says that it is needed.
    const isLeftOut = value === '' && (field.isRequired || field.kind === 'number')
    if (!isLeftOut) settings[field.name] = field.kind === 'number' ? Number(value) : value
  }
  return settings
}
