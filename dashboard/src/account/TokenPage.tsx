import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Doorway } from '../ui/Doorway.tsx'
import { Notice } from '../ui/Notice.tsx'

/** A link from a mail acts on a click, not on being opened: mail scanners open links too. */
export function TokenPage<Result>({
  title,
  words,
  act,
  send,
  onSent,
  below,
}: {
  title: string
  words: string
  act: string
  send: () => Promise<Result>
  onSent: () => void
  below?: ReactNode
}) {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: send, onSuccess: onSent })
  const failure = error ? failureOf(error) : undefined
  return (
    <Doorway title={title} words={words} below={below}>
      {failure && (
        <Notice kind="danger">
          {failure.code === 'ValidationError' ? 'This link is used, too old or incomplete.' : failure.message}
        </Notice>
      )}
      <Button shape="primary" isBusy={isPending || isSuccess} onClick={() => mutate()}>
        {act}
      </Button>
    </Doorway>
  )
}
