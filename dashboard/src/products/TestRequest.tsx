/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls can be reached by keyboard */
import { sendTestRequest, type TestedRequest } from '@keystall/contract/endpoints/webhooks'
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { failureOf, send } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Status } from '../ui/Status.tsx'
import type { ProductFormState } from './ProductFields.tsx'

/** Asks the webhook as a sale would, also before it is saved, and shows both sides of it. */
export function TestRequest({
  form,
  storeId,
  productId,
}: {
  form: ProductFormState
  storeId: string
  productId: string | null
}) {
  const { webhookUrl, name, customValueKeys } = form.values
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const body = {
        webhookUrl,
        productId,
        productName: name.trim() === '' ? 'Test product' : name,
        customValueKeys: [...customValueKeys],
      }
      return (await send(sendTestRequest, { path: { storeId }, body })).data
    },
  })
  const failure = error ? failureOf(error) : undefined
  return (
    <div className="flex flex-col gap-3">
      <Button className="self-start" isBusy={isPending} disabled={webhookUrl.trim() === ''} onClick={() => mutate()}>
        <Send aria-hidden />
        Send a test request
      </Button>
      {failure && (
        <Notice kind="danger">
          {failure.invalidFields.map(({ reason }) => `The address ${reason}.`).join(' ') || failure.message}
        </Notice>
      )}
      {data && !isPending && <Tested tested={data} />}
    </div>
  )
}

function Tested({ tested }: { tested: TestedRequest }) {
  return (
    <section
      aria-label="Test request and answer"
      className="flex animate-appear flex-col divide-y divide-line overflow-hidden rounded-control border border-line"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 p-3">
        <Status kind={tested.isSuccess ? 'success' : 'danger'}>
          {tested.isSuccess ? 'Would be delivered' : 'Would not be delivered'}
        </Status>
        <span className="text-sm text-soft tabular-nums">
          {tested.status ?? 'No answer'} · {tested.durationMilliseconds.toLocaleString()} ms
        </span>
        {tested.failure !== null && <span className="w-full text-sm">{tested.failure}.</span>}
        {tested.items.length > 0 && (
          <span className="w-full text-sm">
            {tested.items.length === 1 ? '1 item' : `${tested.items.length} items`}:{' '}
            <code className="font-mono wrap-anywhere">{tested.items.slice(0, 3).join(', ')}</code>
          </span>
        )}
      </div>
      <Exchange title="Request" head={`POST ${tested.url}`} headers={tested.headers} body={tested.body} />
      {tested.status !== null && (
        <Exchange
          title="Answer"
          head={`HTTP ${tested.status}`}
          headers={tested.answerHeaders}
          body={tested.answer ?? ''}
        />
      )}
    </section>
  )
}

function Exchange({
  title,
  head,
  headers,
  body,
}: {
  title: string
  head: string
  headers: Readonly<Record<string, string>>
  body: string
}) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <details className="group" open={title === 'Answer'}>
      <summary className="px-3 py-2 text-sm font-medium -outline-offset-2">{title}</summary>
      <pre
        tabIndex={0}
        className="max-h-72 overflow-auto bg-sunken px-3 py-2 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
      >
        {[head, ...lines, '', body].join('\n')}
      </pre>
    </details>
  )
}
