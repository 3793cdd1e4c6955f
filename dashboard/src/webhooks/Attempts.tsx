/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls can be reached by keyboard */
import type { WebhookAttempt } from '@keystall/contract/shapes/webhook'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Notice } from '../ui/Notice.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Status } from '../ui/Status.tsx'
import { toast } from '../ui/Toast.tsx'
import { attemptPage, resendAttempt } from './webhooks.ts'

/** Every try of the last 90 days, to products' webhooks and chats too. */
export function Attempts({ storeId, mayResend }: { storeId: string; mayResend: boolean }) {
  const [shown, setShown] = useState<WebhookAttempt>()
  return (
    <section aria-labelledby="attempts" className="flex flex-col gap-3">
      <h2 id="attempts" className="text-lg">
        Attempts
      </h2>
      <PagedTable
        caption="Attempts"
        pageOf={attemptPage(storeId)}
        rowKey={({ id }) => id}
        columns={[
          {
            head: 'Event',
            isName: true,
            render: (attempt) => (
              <button
                type="button"
                onClick={() => setShown(attempt)}
                className="rounded-control text-left font-mono text-sm font-medium hover:underline"
              >
                {attempt.eventType}
              </button>
            ),
          },
          {
            head: 'Answer',
            render: ({ isSuccess, status }) => (
              <Status kind={isSuccess ? 'success' : 'danger'}>{status ?? 'None'}</Status>
            ),
          },
          {
            head: 'To',
            isWideOnly: true,
            render: ({ url }) => (
              <span className="block max-w-60 truncate font-mono text-sm text-soft" title={url}>
                {URL.parse(url)?.host ?? url}
              </span>
            ),
          },
          { head: 'Try', align: 'end', render: ({ attempt }) => attempt.toLocaleString() },
          {
            head: 'Next try',
            align: 'end',
            render: ({ nextAttempt }) => nextAttempt && <RelativeTime at={nextAttempt} />,
          },
          { head: 'When', align: 'end', render: ({ dateCreated }) => <RelativeTime at={dateCreated} /> },
        ]}
        empty={<p className="text-soft">Nothing has been sent yet.</p>}
      />
      {shown && (
        <AttemptDialog storeId={storeId} attempt={shown} mayResend={mayResend} onClose={() => setShown(undefined)} />
      )}
    </section>
  )
}

function AttemptDialog({
  storeId,
  attempt,
  mayResend,
  onClose,
}: {
  storeId: string
  attempt: WebhookAttempt
  mayResend: boolean
  onClose: () => void
}) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => resendAttempt(storeId, attempt.id),
    onSuccess: () => {
      toast('The event is being sent again')
      onClose()
    },
  })
  return (
    <Dialog title={attempt.eventType} onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <dt className="text-soft">To</dt>
        <dd className="font-mono text-sm wrap-anywhere">{attempt.url}</dd>
        <dt className="text-soft">Answer</dt>
        <dd className="tabular-nums">
          {attempt.status ?? 'None'}, after {attempt.durationMilliseconds.toLocaleString()} ms
        </dd>
        {attempt.failure !== null && (
          <>
            <dt className="text-soft">Failed</dt>
            <dd>{attempt.failure}</dd>
          </>
        )}
        <dt className="text-soft">Event</dt>
        <dd className="font-mono text-sm wrap-anywhere">{attempt.eventId}</dd>
      </dl>
      {attempt.answer !== null && attempt.answer !== '' && (
        <pre
          tabIndex={0}
          className="max-h-60 overflow-auto rounded-control bg-sunken p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
        >
          {attempt.answer}
        </pre>
      )}
      {error && <Notice kind="danger">{failureOf(error).message}</Notice>}
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
        {mayResend && (
          <Button shape="primary" isBusy={isPending} onClick={() => mutate()}>
            Send again
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  )
}
