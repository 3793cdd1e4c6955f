import { CloudOff, Lock, type LucideIcon, RotateCw, SearchX } from 'lucide-react'
import { failureOf } from '../api.ts'
import { Button } from './Button.tsx'

const kinds: Record<string, { icon: LucideIcon; title: string; words?: string }> = {
  AccessDenied: {
    icon: Lock,
    title: 'You may not see this',
    words: 'Your membership of this store does not cover it. The owner of the store can change that.',
  },
  NotFound: { icon: SearchX, title: 'This is not here' },
}

/** Stands where the content would be when it could not be loaded, is gone, or is not for this person. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { code, message, requestId } = failureOf(error)
  const kind = kinds[code]
  const Icon = kind?.icon ?? CloudOff
  return (
    <div
      role="alert"
      className="flex flex-col items-center gap-4 rounded-card border border-line bg-surface px-6 py-12 text-center"
    >
      <span
        className={`grid size-11 place-items-center rounded-full ${kind ? 'bg-sunken text-soft' : 'bg-danger-soft text-danger'}`}
      >
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="flex max-w-md flex-col gap-1.5">
        <h2 className="text-lg">{kind?.title ?? 'This could not be loaded'}</h2>
        <p className="text-soft">{kind?.words ?? message}</p>
        {!kind && requestId !== undefined && <p className="text-xs text-soft">Request {requestId}</p>}
      </div>
      {!kind && onRetry && (
        <Button onClick={onRetry}>
          <RotateCw aria-hidden />
          Try again
        </Button>
      )}
    </div>
  )
}
