import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { rotateSecret, storeQuery } from '../stores/settings.ts'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'

/** Hidden until it is asked for: screens are shared. */
export function SecretSection({ storeId }: { storeId: string }) {
  const store = useQuery(storeQuery(storeId))
  const [isShown, setIsShown] = useState(false)
  const [isRotating, setIsRotating] = useState(false)
  return (
    <Section title="Secret" words="Signs every message, as Standard Webhooks says. Your program checks it.">
      {store.isPending ? (
        <Skeleton className="h-9 w-full" />
      ) : store.isError ? (
        <ErrorState error={store.error} onRetry={() => void store.refetch()} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          {isShown ? (
            <CopyText text={store.data.webhookSecret} name="secret" />
          ) : (
            <span aria-hidden className="font-mono text-soft">
              whsec_{'•'.repeat(24)}
            </span>
          )}
          <span className="flex gap-2">
            <Button onClick={() => setIsShown(!isShown)}>{isShown ? 'Hide secret' : 'Show secret'}</Button>
            <Button shape="quiet" onClick={() => setIsRotating(true)}>
              Replace
            </Button>
          </span>
        </div>
      )}
      {isRotating && <RotateDialog storeId={storeId} onClose={() => setIsRotating(false)} />}
    </Section>
  )
}

function RotateDialog({ storeId, onClose }: { storeId: string; onClose: () => void }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => rotateSecret(storeId),
    onSuccess: () => {
      toast('New secret made; the former one signs too for 24 hours')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Replace the secret?"
      act="Replace secret"
      isDangerous={false}
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      For 24 hours messages are signed with both. Until then your programs must know the new one.
    </ConfirmDialog>
  )
}
