import type { App } from '@keystall/contract/shapes/app'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { ShownOnce } from '../ui/ShownOnce.tsx'
import { rotateSecret } from './apps.ts'

export function SecretSection({ app }: { app: App }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const rotate = useMutation({
    mutationFn: () => rotateSecret(app.id),
    onSettled: (_, error) => setIsConfirming(error !== null),
  })
  return (
    <Section title="Client secret" words="Proves that your program is the app when it exchanges a code for a key.">
      <div className="flex flex-col gap-4">
        {rotate.data && <ShownOnce secret={rotate.data.clientSecret} name="client secret" />}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="text-soft">
            {app.previousSecretValidUntil === null ? (
              'We keep only its hash. Lost it? Make a new one.'
            ) : (
              <>
                The former secret works until <RelativeTime at={app.previousSecretValidUntil} />.
              </>
            )}
          </span>
          <Button onClick={() => setIsConfirming(true)}>Make new secret</Button>
        </div>
      </div>
      {isConfirming && (
        <ConfirmDialog
          title="Make a new client secret?"
          act="Make new secret"
          isDangerous={false}
          isBusy={rotate.isPending}
          failure={rotate.error ? failureOf(rotate.error).message : undefined}
          onConfirm={() => rotate.mutate()}
          onClose={() => setIsConfirming(false)}
        >
          The present secret goes on working for a while, so that you can change your program in peace. An older one
          ends now.
        </ConfirmDialog>
      )}
    </Section>
  )
}
