import type { Analytics } from '@keystall/contract/shapes/analytics'
import { useCurrentStore } from '../stores/current-store.ts'
import { formatMoney } from '../ui/money.ts'
import { Facts, Panel } from '../ui/Panel.tsx'

/** What the figures say about each other. */
export function Ratios({ analytics }: { analytics: Analytics }) {
  const store = useCurrentStore()
  const { revenue, overallOrders, overallVisitors, customers, tickets } = analytics
  const percent = (part: number, whole: number) =>
    whole === 0 ? '–' : (part / whole).toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <Panel title="In proportion">
      <Facts
        facts={[
          ['Average order', overallOrders === 0 ? '–' : formatMoney(revenue / overallOrders, store.preferredCurrency)],
          ['Visitors who bought', percent(overallOrders, overallVisitors)],
          ['Orders by new customers', percent(Math.min(customers, overallOrders), overallOrders)],
          ['Tickets opened', tickets.toLocaleString()],
          ['Tickets an order', percent(tickets, overallOrders)],
        ]}
      />
    </Panel>
  )
}
