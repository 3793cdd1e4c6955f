import type { Attention as AttentionFigures } from '@keystall/contract/shapes/analytics'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import {
  ChevronRight,
  CircleAlert,
  CircleCheck,
  Gavel,
  Hourglass,
  type LucideIcon,
  MessagesSquare,
  PackageX,
  Webhook,
} from 'lucide-react'
import { attentionQuery } from '../analytics/analytics.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { Card } from '../ui/Card.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'

interface Matter {
  name: keyof AttentionFigures
  icon: LucideIcon
  one: string
  many: (count: string) => string
  to: NonNullable<LinkProps['to']>
  search?: Record<string, string>
}

const matters: Matter[] = [
  {
    name: 'undeliverableOrders',
    icon: CircleAlert,
    one: '1 order could not be delivered',
    many: (count) => `${count} orders could not be delivered`,
    to: '/stores/$storeId/orders',
    search: { status: 'Undeliverable' },
  },
  {
    name: 'disputedOrders',
    icon: Gavel,
    one: '1 payment is disputed',
    many: (count) => `${count} payments are disputed`,
    to: '/stores/$storeId/orders',
    search: { status: 'Disputed' },
  },
  {
    name: 'waitingOrders',
    icon: Hourglass,
    one: '1 paid order waits for items',
    many: (count) => `${count} paid orders wait for items`,
    to: '/stores/$storeId/orders',
    search: { status: 'Delivering' },
  },
  {
    name: 'openTickets',
    icon: MessagesSquare,
    one: '1 ticket waits for your answer',
    many: (count) => `${count} tickets wait for your answer`,
    to: '/stores/$storeId/tickets',
  },
  {
    name: 'emptyProducts',
    icon: PackageX,
    one: '1 product is sold out',
    many: (count) => `${count} products are sold out`,
    to: '/stores/$storeId/products',
    search: { stock: 'out' },
  },
  {
    name: 'failingWebhooks',
    icon: Webhook,
    one: '1 webhook fails',
    many: (count) => `${count} webhooks fail`,
    to: '/stores/$storeId/settings/webhooks',
  },
]

/** What waits for the seller, each with the way to it. */
export function Attention() {
  const store = useCurrentStore()
  const attention = useQuery(attentionQuery(store.id))
  const waiting = attention.data ? matters.filter(({ name }) => attention.data[name] > 0) : []
  return (
    <Panel title="Needs you">
      {attention.isPending ? (
        <SkeletonRows count={3} />
      ) : attention.isError ? (
        <ErrorState error={attention.error} onRetry={() => void attention.refetch()} />
      ) : waiting.length === 0 ? (
        <Card className="flex items-center gap-3 px-4 py-4 text-soft">
          <CircleCheck aria-hidden className="size-5 shrink-0 text-success" />
          Nothing waits for you.
        </Card>
      ) : (
        <Card>
          <ul>
            {waiting.map(({ name, icon: Icon, one, many, to, search = {} }) => (
              <li key={name} className="border-line not-last:border-b">
                <Link
                  to={to}
                  params={{ storeId: store.id }}
                  search={search}
                  className="flex min-h-11 items-center gap-3 px-4 py-2.5 font-medium -outline-offset-2 transition-colors hover:bg-sunken"
                >
                  <Icon aria-hidden className="size-4 shrink-0 text-warning" />
                  <span className="flex-1">
                    {attention.data[name] === 1 ? one : many(attention.data[name].toLocaleString())}
                  </span>
                  <ChevronRight aria-hidden className="size-4 shrink-0 text-soft" />
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Panel>
  )
}
