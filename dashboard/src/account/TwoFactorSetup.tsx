import { CodeForm } from '@keystall/contract/endpoints/account'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { CodeText } from '../ui/CodeText.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { textLink } from '../ui/text-link.ts'
import { beginTwoFactor, enableTwoFactor } from './security.ts'
import { CodeInput } from './CodeInput.tsx'
import { ProveDialog } from './ProveDialog.tsx'

interface Beginning {
  secret: string
  uri: string
  qrCode: string
}

export function TwoFactorSetup({
  onClose,
  onEnabled,
}: {
  onClose: () => void
  onEnabled: (recoveryCodes: readonly string[]) => void
}) {
  const [beginning, setBeginning] = useState<Beginning>()
  if (beginning) return <ScanDialog beginning={beginning} onClose={onClose} onEnabled={onEnabled} />
  return (
    <ProveDialog
      title="Switch on two-factor"
      words="You need an authenticator app on your phone. First, your password again."
      act="Continue"
      isCodeAsked={false}
      send={({ password }) => beginTwoFactor({ password })}
      onSent={setBeginning}
      onClose={onClose}
    />
  )
}

function ScanDialog({
  beginning,
  onClose,
  onEnabled,
}: {
  beginning: Beginning
  onClose: () => void
  onEnabled: (recoveryCodes: readonly string[]) => void
}) {
  const form = useForm({
    initial: { code: '' },
    send: enableTwoFactor,
    onSent: ({ recoveryCodes }) => {
      onClose()
      onEnabled(recoveryCodes)
    },
  })
  return (
    <Dialog title="Scan with your app" onClose={onClose}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <img
          src={`data:image/svg+xml,${encodeURIComponent(beginning.qrCode)}`}
          alt="QR code for the authenticator app"
          className="size-44 self-center rounded-control bg-[white] p-2"
        />
        <p className="text-sm text-soft">
          On this very phone?{' '}
          <a href={beginning.uri} className={textLink}>
            Open the app
          </a>
          , or type the secret: <CodeText text={beginning.secret} name="secret" />
        </p>
        <FormFailure failure={form.failure} />
        <Field label="Code" error={form.errorOf('code')} help="The six digits that the app shows now.">
          <CodeInput inputMode="numeric" {...limits(CodeForm.properties.code)} {...form.text('code')} />
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape="primary" isBusy={form.isBusy}>
            Switch on two-factor
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
