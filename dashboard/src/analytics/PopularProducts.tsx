import type { Analytics } from '@keystall/contract/shapes/analytics'
import { Link } from '@tanstack/react-router'
import { useCurrentStore } from '../stores/current-store.ts'
import { Card } from '../ui/Card.tsx'
import { formatMoney } from '../ui/money.ts'
import { Panel } from '../ui/Panel.tsx'

/** By revenue; the bar is the share of the best one. */
export function PopularProducts({ analytics }: { analytics: Analytics }) {
  const store = useCurrentStore()
  const most = Math.max(1, ...analytics.popularProducts.map(({ cost }) => cost))
  return (
    <Panel title="Popular products">
      <Card className="px-4 py-2">
        {analytics.popularProducts.length === 0 ? (
          <p className="py-6 text-center text-soft">Nothing was sold in this period.</p>
        ) : (
          <ol className="divide-y divide-line">
            {analytics.popularProducts.map(({ product, cost }) => (
              <li key={product.id} className="flex flex-col gap-1.5 py-2.5">
                <span className="flex items-baseline justify-between gap-4">
                  <Link
                    to="/stores/$storeId/orders"
                    params={{ storeId: store.id }}
                    search={{ productId: product.id }}
                    className="min-w-0 truncate rounded-control font-medium hover:text-accent-text hover:underline"
                    title={product.name}
                  >
                    {product.name}
                  </Link>
                  <span className="shrink-0 tabular-nums">{formatMoney(cost, store.preferredCurrency)}</span>
                </span>
                <span aria-hidden className="h-1 rounded-full bg-sunken">
                  <span
                    className="block h-1 rounded-full bg-accent"
                    style={{ width: `${Math.max(1, (cost / most) * 100)}%` }}
                  />
                </span>
              </li>
            ))}
          </ol>
        )}
      </Card>
    </Panel>
  )
}
