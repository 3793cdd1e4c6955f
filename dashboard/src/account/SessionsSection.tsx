import type { Session } from '@keystall/contract/shapes/account'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { Status } from '../ui/Status.tsx'
import { toast } from '../ui/Toast.tsx'
import { endOtherSessions, endSession, sessionsQuery } from './security.ts'
import { browserName, isPhone } from './browser-name.ts'

export function SessionsSection() {
  const sessions = useQuery(sessionsQuery)
  return (
    <Section title="Sessions" words="Browsers in which you are signed in.">
      {sessions.isPending ? (
        <SkeletonRows count={2} />
      ) : sessions.isError ? (
        <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <SessionList sessions={sessions.data} />
      )}
    </Section>
  )
}

function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const end = useMutation({ mutationFn: endSession, onSuccess: () => toast('Session ended') })
  const endOthers = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: () => {
      setIsConfirming(false)
      toast('All other sessions ended')
    },
  })
  return (
    <div className="flex flex-col gap-4">
      {end.error && <Notice kind="danger">{failureOf(end.error).message}</Notice>}
      <ul className="flex flex-col">
        {sessions.map((session) => {
          const Icon = isPhone(session.userAgent) ? Smartphone : Monitor
          return (
            <li
              key={session.id}
              className="flex items-center gap-3 border-line py-3 first:pt-0 not-last:border-b last:pb-0"
            >
              <Icon aria-hidden className="size-5 shrink-0 text-soft" />
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="font-medium" title={session.userAgent ?? undefined}>
                  {browserName(session.userAgent)}
                </span>
                <span className="text-sm text-soft wrap-anywhere">
                  {session.ipAddress} · used <RelativeTime at={session.lastUsed} />
                </span>
              </span>
              {session.isCurrent ? (
                <Status kind="success">This browser</Status>
              ) : (
                <Button
                  aria-label={`End session of ${browserName(session.userAgent)}`}
                  isBusy={end.isPending && end.variables === session.id}
                  onClick={() => end.mutate(session.id)}
                >
                  End
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {sessions.length > 1 && (
        <div>
          <Button shape="dangerQuiet" className="-ml-3.5" onClick={() => setIsConfirming(true)}>
            End all other sessions
          </Button>
        </div>
      )}
      {isConfirming && (
        <ConfirmDialog
          title="End all other sessions?"
          act="End sessions"
          isBusy={endOthers.isPending}
          failure={endOthers.error ? failureOf(endOthers.error).message : undefined}
          onConfirm={() => endOthers.mutate()}
          onClose={() => setIsConfirming(false)}
        >
          Every other browser has to sign in again. This one stays.
        </ConfirmDialog>
      )}
    </div>
  )
}
