import type { StoreOfUser } from '@keystall/contract/shapes/store'
import { ArrowUpRight } from 'lucide-react'
import { Card } from '../ui/Card.tsx'
import { formatMoney } from '../ui/money.ts'
import { Monogram } from '../ui/Monogram.tsx'
import { Status } from '../ui/Status.tsx'
import { textLink } from '../ui/text-link.ts'

export function StoreCard({ store, isOwner }: { store: StoreOfUser; isOwner: boolean }) {
  const figures = [
    { name: 'Earned', figure: formatMoney(store.gross, store.preferredCurrency) },
    { name: 'Products', figure: store.products.length.toLocaleString() },
    { name: 'Visits', figure: store.visits.reduce((sum, { visits }) => sum + visits, 0).toLocaleString() },
  ]
  return (
    <Card className="flex min-w-0 flex-col">
      <div className="flex items-center gap-3 p-4 sm:p-5">
        <Monogram name={store.name} isLarge />
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-lg" title={store.name}>
            {store.name}
          </h2>
          <a
            href={`${location.protocol}//${store.domain}/`}
            target="_blank"
            rel="noreferrer"
            className={`${textLink} inline-flex max-w-full items-center gap-0.5 text-sm`}
          >
            <span className="truncate">{store.domain}</span>
            <ArrowUpRight aria-label="opens in a new tab" className="size-3.5 shrink-0" />
          </a>
        </div>
        {!isOwner && <Status kind="information">Member</Status>}
      </div>
      <dl className="mt-auto grid grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)_minmax(0,1fr)] border-t border-line">
        {figures.map(({ name, figure }) => (
          <div key={name} className="min-w-0 border-line py-3 pr-2 pl-4 not-last:border-r sm:px-5">
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="truncate font-semibold tabular-nums" title={figure}>
              {figure}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
