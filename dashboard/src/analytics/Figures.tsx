import type { Analytics, AnalyticsDays, DayFigures } from '@keystall/contract/shapes/analytics'
import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { Card } from '../ui/Card.tsx'
import { type ChartPoint, LineChart } from '../ui/LineChart.tsx'
import { formatMoney } from '../ui/money.ts'

type Figure = 'revenue' | 'orders' | 'customers' | 'visits'

const names: Record<Figure, string> = {
  revenue: 'Revenue',
  orders: 'Orders',
  customers: 'New customers',
  visits: 'Visitors',
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Four figures with their change; the chosen one is drawn day by day beneath. */
export function Figures({ analytics, days }: { analytics: Analytics; days: AnalyticsDays }) {
  const [chosen, setChosen] = useState<Figure>('revenue')
  const format = (figure: Figure) => (value: number) =>
    figure === 'revenue' ? formatMoney(value, days.currency) : Math.round(value).toLocaleString()
  const figures = [
    { figure: 'revenue', value: analytics.revenue, change: analytics.revenueChange },
    { figure: 'orders', value: analytics.overallOrders, change: analytics.ordersChange },
    { figure: 'customers', value: analytics.customers, change: analytics.customersChange },
    { figure: 'visits', value: analytics.overallVisitors, change: analytics.visitorsChange },
  ] as const
  return (
    <Card>
      <fieldset className="grid grid-cols-2 lg:grid-cols-4">
        <legend className="sr-only">The figure that is drawn</legend>
        {figures.map(({ figure, value, change }) => (
          <label
            key={figure}
            className="relative min-w-0 border-line p-4 transition-colors hover:bg-sunken/50 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent sm:p-5 max-lg:odd:border-r max-lg:nth-[n+4]:border-t max-lg:nth-[3]:border-t max-lg:nth-[2]:border-r-0 lg:not-last:border-r first-of-type:rounded-tl-card"
          >
            <input
              type="radio"
              name="figure"
              value={figure}
              checked={figure === chosen}
              onChange={() => setChosen(figure)}
              className="peer sr-only"
            />
            <span className="block text-sm text-soft">{names[figure]}</span>
            <span
              className="block truncate text-xl font-semibold tabular-nums sm:text-2xl"
              title={format(figure)(value)}
            >
              {format(figure)(value)}
            </span>
            <Change percent={change} />
            <span
              aria-hidden
              className="absolute inset-x-4 bottom-0 h-0.5 rounded-full bg-transparent peer-checked:bg-accent sm:inset-x-5"
            />
          </label>
        ))}
      </fieldset>
      <div className="border-t border-line p-4 sm:p-5">
        <LineChart name={names[chosen]} points={pointsOf(days, chosen)} format={format(chosen)} />
      </div>
    </Card>
  )
}

function pointsOf({ days, daysBefore }: AnalyticsDays, figure: Figure): ChartPoint[] {
  return days.map((each: DayFigures, place) => ({
    label: day.format(new Date(each.date)),
    value: each[figure],
    before: daysBefore[place]?.[figure],
  }))
}

function Change({ percent }: { percent: number }) {
  const Icon = percent > 0 ? ArrowUpRight : percent < 0 ? ArrowDownRight : ArrowRight
  const colour = percent > 0 ? 'text-success' : percent < 0 ? 'text-danger' : 'text-soft'
  const size = Math.abs(percent).toLocaleString(undefined, { maximumFractionDigits: 1 })
  return (
    <span className={`flex items-center gap-1 text-sm font-medium tabular-nums ${colour}`}>
      <Icon aria-hidden className="size-3.5" />
      {percent === 0 ? 'As before' : `${size} %`}
      <span className="sr-only">{percent > 0 ? 'more' : percent < 0 ? 'less' : ''} than in the period before</span>
    </span>
  )
}
