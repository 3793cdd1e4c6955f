import type { Credit } from '@keystall/contract/shapes/credit'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Gift } from 'lucide-react'
import { useState } from 'react'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { formatMoney } from '../ui/money.ts'
import { Panel } from '../ui/Panel.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { creditQuery } from './credit.ts'
import { CreditDialog } from './CreditDialog.tsx'

/** On the customer's page: what can be spent, and every entry that it is the sum of. */
export function CreditPanel({ customerId }: { customerId: string }) {
  const store = useCurrentStore()
  const mayUpdate = useMay('UpdateOrders')
  const credit = useQuery(creditQuery(store.id, customerId))
  const [isGranting, setIsGranting] = useState(false)
  return (
    <Panel
      title="Store credit"
      aside={
        mayUpdate &&
        credit.data && (
          <Button shape="quiet" onClick={() => setIsGranting(true)}>
            <Gift aria-hidden />
            Change credit
          </Button>
        )
      }
    >
      {credit.isPending ? (
        <SkeletonRows count={2} />
      ) : credit.isError ? (
        <ErrorState error={credit.error} onRetry={() => void credit.refetch()} />
      ) : (
        <Ledger credit={credit.data} />
      )}
      {isGranting && credit.data && (
        <CreditDialog customerId={customerId} credit={credit.data} onClose={() => setIsGranting(false)} />
      )}
    </Panel>
  )
}

function Ledger({ credit: { balance, currency, entries } }: { credit: Credit }) {
  return (
    <Card>
      <div className="flex items-baseline justify-between gap-4 px-4 py-3">
        <span className="text-soft">Can be spent</span>
        <span className="text-lg font-semibold tabular-nums">{formatMoney(balance, currency)}</span>
      </div>
      {entries.length > 0 && (
        <ol aria-label="Ledger" className="max-h-80 divide-y divide-line overflow-y-auto border-t border-line">
          {entries.map((entry) => (
            <LedgerEntry key={entry.id} entry={entry} currency={currency} />
          ))}
        </ol>
      )}
    </Card>
  )
}

const kinds = { granted: 'Granted', taken: 'Taken back', spent: 'Spent', refunded: 'From a refund' }

function LedgerEntry({ entry, currency }: { entry: Credit['entries'][number]; currency: string }) {
  const store = useCurrentStore()
  const { kind, amount, orderId, reason, actor, dateCreated } = entry
  const words = [actor === null ? undefined : `by ${actor}`, reason].filter(Boolean).join(' · ')
  return (
    <li className="flex items-baseline justify-between gap-4 px-4 py-2.5">
      <div className="min-w-0">
        <p>
          {orderId === null ? (
            kinds[kind]
          ) : (
            <Link
              to="/stores/$storeId/orders/$orderId"
              params={{ storeId: store.id, orderId }}
              className="rounded-control text-accent-text hover:underline"
            >
              {kinds[kind]}
            </Link>
          )}
        </p>
        <p className="text-sm wrap-anywhere text-soft">
          <RelativeTime at={dateCreated} />
          {words !== '' && ` · ${words}`}
        </p>
      </div>
      <span className={`tabular-nums ${amount > 0 ? 'text-success' : ''}`}>
        {amount > 0 && '+'}
        {formatMoney(amount, currency)}
      </span>
    </li>
  )
}
