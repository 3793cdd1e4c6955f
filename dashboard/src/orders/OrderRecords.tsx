import type { OrderRecord } from '@keystall/contract/shapes/order-record'
import type { WebhookAttempt } from '@keystall/contract/shapes/webhook'
import { browserName } from '../account/browser-name.ts'
import { CodeText } from '../ui/CodeText.tsx'
import { formatMoney } from '../ui/money.ts'
import { Panel } from '../ui/Panel.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Status } from '../ui/Status.tsx'
import { Table } from '../ui/Table.tsx'
import { gatewayName } from './gateways.ts'

const kinds = { payment: 'Payment', refund: 'Refund', dispute: 'Dispute' }

export function Payments({ record }: { record: OrderRecord }) {
  if (record.payments.length === 0) return null
  return (
    <Panel title="Payments">
      <Table
        caption="Payments"
        rows={record.payments}
        rowKey={(each) => each.id}
        columns={[
          { head: 'What', isName: true, render: (each) => <span className="font-medium">{kinds[each.kind]}</span> },
          { head: 'By', render: (each) => gatewayName(each.gateway) },
          { head: 'Reference', render: (each) => <CodeText text={each.transactionId} name="reference" /> },
          {
            head: 'Amount',
            align: 'end',
            render: (each) => formatMoney(each.kind === 'payment' ? each.amount : -each.amount, each.currency),
          },
          { head: 'When', align: 'end', render: (each) => <RelativeTime at={each.dateCreated} /> },
        ]}
      />
    </Panel>
  )
}

export function Reveals({ record }: { record: OrderRecord }) {
  if (record.reveals.length === 0) return null
  return (
    <Panel title="Seen by the buyer">
      <Table
        caption="When the buyer uncovered the items"
        rows={record.reveals}
        rowKey={(each) => each.id}
        columns={[
          {
            head: 'What',
            isName: true,
            render: (each) =>
              record.lines.find(({ productId }) => productId === each.productId)?.name ?? 'The whole order',
          },
          { head: 'From', render: (each) => <span className="font-mono text-sm">{each.ipAddress}</span> },
          { head: 'With', render: (each) => <span title={each.userAgent}>{browserName(each.userAgent)}</span> },
          { head: 'When', align: 'end', render: (each) => <RelativeTime at={each.dateCreated} /> },
        ]}
      />
    </Panel>
  )
}

export function Attempts({ record }: { record: OrderRecord }) {
  if (record.attempts.length === 0) return null
  return (
    <Panel title="Webhook tries">
      <Table
        caption="Tries to tell webhooks of this order"
        rows={record.attempts}
        rowKey={(each) => each.id}
        columns={[
          {
            head: 'Event',
            isName: true,
            render: (each) => <span className="font-mono text-sm">{each.eventType}</span>,
          },
          {
            head: 'Address',
            fluid: 'sm:w-full',
            render: (each) => (
              <span className="block truncate text-soft" title={each.url}>
                {each.url.replace(/^https?:\/\//, '')}
              </span>
            ),
          },
          { head: 'Answer', render: (each) => <Answer attempt={each} /> },
          { head: 'When', align: 'end', render: (each) => <RelativeTime at={each.dateCreated} /> },
        ]}
      />
    </Panel>
  )
}

function Answer({ attempt }: { attempt: WebhookAttempt }) {
  const words = attempt.status === null ? (attempt.failure ?? 'No answer') : String(attempt.status)
  return (
    <span title={attempt.answer ?? attempt.failure ?? undefined}>
      <Status kind={attempt.isSuccess ? 'success' : 'danger'}>{words}</Status>
    </span>
  )
}
