import type { App } from '@keystall/contract/shapes/app'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { toast } from '../ui/Toast.tsx'
import { deleteApp } from './apps.ts'

export function DeleteSection({ app }: { app: App }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => deleteApp(app.id),
    onSuccess: async () => {
      await navigate({ to: '/apps' })
      toast('App deleted')
    },
  })
  return (
    <Section title="Delete app" words="There is no way back.">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="text-soft">{usersInWords(app.connectedUsers)}</span>
        <Button shape="dangerQuiet" onClick={() => setIsConfirming(true)}>
          Delete app
        </Button>
      </div>
      {isConfirming && (
        <ConfirmDialog
          title={`Delete ${app.name}?`}
          act="Delete app"
          isBusy={remove.isPending}
          failure={remove.error ? failureOf(remove.error).message : undefined}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsConfirming(false)}
        >
          Every key that people gave to the app ends at once.
        </ConfirmDialog>
      )}
    </Section>
  )
}

function usersInWords(count: number) {
  if (count === 0) return 'Nobody has authorized the app yet.'
  return count === 1 ? '1 person has authorized the app.' : `${count.toLocaleString()} people have authorized the app.`
}
