import type { OrderHistoryEntry } from '@keystall/contract/shapes/order'
import { useQuery } from '@tanstack/react-query'
import { useCurrentStore } from '../stores/current-store.ts'
import { Card } from '../ui/Card.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { formatMoney } from '../ui/money.ts'
import { Panel } from '../ui/Panel.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { historyQuery } from './orders.ts'

const words: Record<string, string> = {
  created: 'Order placed',
  paid: 'Paid',
  'paid-in-part': 'Paid in part',
  'paid-again': 'Paid again',
  'paid-otherwise': 'Paid in another way',
  pending: 'Payment seen, settling',
  declined: 'Payment declined',
  delivering: 'Delivery begun',
  delivered: 'Delivered',
  undeliverable: 'Could not be delivered',
  replaced: 'Item replaced',
  revealed: 'Items uncovered by the buyer',
  cancelled: 'Cancelled',
  expired: 'Expired unpaid',
  released: 'Stock given back',
  refunded: 'Refunded',
  'refund-requested': 'Refund requested',
  'refund-failed': 'Refund failed',
  'fell-back': 'Delivered from stock instead',
  disputed: 'Payment disputed',
  'dispute-ended': 'Dispute ended',
  reorganised: 'Payment taken back by the chain',
  'subscription-cancelled': 'Subscription cancelled',
  'renewal-link': 'Link to renew mailed',
  'renewal-failed': 'Could not be renewed',
  'early-fraud-warning': 'The bank suspects fraud',
  'mail-sent': 'Mail sent again',
}

export function OrderHistory({ orderId, currency }: { orderId: string; currency: string }) {
  const store = useCurrentStore()
  const history = useQuery(historyQuery(store.id, orderId))
  return (
    <Panel title="History">
      {history.isPending ? (
        <SkeletonRows count={3} />
      ) : history.isError ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} />
      ) : (
        <Card className="px-4 py-4">
          <ol className="flex flex-col">
            {history.data.toReversed().map((entry) => (
              <Entry key={entry.id} entry={entry} currency={currency} />
            ))}
          </ol>
        </Card>
      )}
    </Panel>
  )
}

function Entry({ entry, currency }: { entry: OrderHistoryEntry; currency: string }) {
  return (
    <li className="group relative flex gap-3 pb-4 last:pb-0">
      <span aria-hidden className="absolute top-5 bottom-0 left-[3.5px] w-px bg-line group-last:hidden" />
      <span aria-hidden className={`mt-1.5 size-2 shrink-0 rounded-full ${dots[entry.kind] ?? 'bg-line-control'}`} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-medium">
            {words[entry.kind] ?? entry.kind}
            {entry.amount !== null && ` · ${formatMoney(entry.amount, currency)}`}
          </span>
          <span className="text-sm text-soft">
            <RelativeTime at={entry.dateCreated} />
          </span>
        </div>
        {(entry.actor !== null || entry.text !== null) && (
          <p className="text-sm wrap-anywhere text-soft">
            {[entry.actor === null ? undefined : `by ${entry.actor}`, entry.text].filter(Boolean).join(' · ')}
          </p>
        )}
      </div>
    </li>
  )
}

const dots: Record<string, string> = {
  paid: 'bg-accent',
  delivered: 'bg-success',
  undeliverable: 'bg-danger',
  'refund-failed': 'bg-danger',
  disputed: 'bg-danger',
  declined: 'bg-warning',
}
