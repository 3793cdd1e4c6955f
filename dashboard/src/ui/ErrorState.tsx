import { CloudOff, RotateCw } from 'lucide-react'
import { failureOf } from '../api.ts'
import { Button } from './Button.tsx'

/** Stands where the content would be when it could not be loaded. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { message, requestId } = failureOf(error)
  return (
    <div
      role="alert"
      className="flex flex-col items-center gap-4 rounded-card border border-line bg-surface px-6 py-12 text-center"
    >
      <span className="grid size-11 place-items-center rounded-full bg-danger-soft text-danger">
        <CloudOff aria-hidden className="size-5" />
      </span>
      <div className="flex max-w-md flex-col gap-1.5">
        <h2 className="text-lg">This could not be loaded</h2>
        <p className="text-soft">{message}</p>
        {requestId !== undefined && <p className="text-xs text-soft">Request {requestId}</p>}
      </div>
      {onRetry && (
        <Button onClick={onRetry}>
          <RotateCw aria-hidden />
          Try again
        </Button>
      )}
    </div>
  )
}
