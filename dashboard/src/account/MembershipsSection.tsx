import type { Account } from '@keystall/contract/shapes/account'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { leaveStore } from '../members/members.ts'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'

/** The stores of others in which the person works. */
export function MembershipsSection({ account }: { account: Account }) {
  const stores = account.stores.filter(({ isOwner }) => !isOwner)
  const [leaving, setLeaving] = useState<{ id: string; name: string }>()
  if (stores.length === 0) return null
  return (
    <Section title="Memberships" words="Stores of others that you work in.">
      <ul className="flex flex-col divide-y divide-line">
        {stores.map((store) => (
          <li key={store.id} className="flex items-center justify-between gap-4 py-2 first:pt-0 last:pb-0">
            <span className="min-w-0 font-medium wrap-anywhere">{store.name}</span>
            <Button shape="dangerQuiet" aria-label={`Leave ${store.name}`} onClick={() => setLeaving(store)}>
              Leave
            </Button>
          </li>
        ))}
      </ul>
      {leaving && <LeaveDialog store={leaving} onClose={() => setLeaving(undefined)} />}
    </Section>
  )
}

function LeaveDialog({ store, onClose }: { store: { id: string; name: string }; onClose: () => void }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => leaveStore(store.id),
    // A whole new page, so that nothing of the store stays in memory.
    onSuccess: () => location.assign('/account'),
  })
  return (
    <ConfirmDialog
      title={`Leave ${store.name}?`}
      act="Leave store"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      You lose the store at once. Only a new invitation brings you back.
    </ConfirmDialog>
  )
}
