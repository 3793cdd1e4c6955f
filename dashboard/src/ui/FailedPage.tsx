import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { failureOf } from '../api.ts'
import { Button } from './Button.tsx'
import { Doorway } from './Doorway.tsx'

/** When a whole page could not be shown: the server is away, or we made a mistake. */
export function FailedPage({ error }: { error: unknown }) {
  const router = useRouter()
  const { reset } = useQueryErrorResetBoundary()
  const { message, requestId } = failureOf(error)
  return (
    <Doorway title="This page could not be shown" words={message}>
      <Button
        shape="primary"
        onClick={() => {
          reset()
          void router.invalidate()
        }}
      >
        <RotateCw aria-hidden />
        Try again
      </Button>
      {requestId !== undefined && <p className="text-xs text-soft">Request {requestId}</p>}
    </Doorway>
  )
}
