import type { AnalyticsDays } from '@keystall/contract/shapes/analytics'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { formatMoney } from '../ui/money.ts'
import { Panel } from '../ui/Panel.tsx'
import { Table } from '../ui/Table.tsx'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const daysAtFirst = 14

/** Newest day first. */
export function DayTable({ days }: { days: AnalyticsDays }) {
  const [isWhole, setIsWhole] = useState(false)
  const newest = days.days.toReversed()
  const rows = isWhole ? newest : newest.slice(0, daysAtFirst)
  return (
    <Panel title="Day by day">
      <Table
        caption="Figures day by day"
        rows={rows}
        rowKey={({ date }) => date}
        columns={[
          {
            head: 'Day',
            isName: true,
            render: ({ date }) => <span className="font-medium">{day.format(new Date(date))}</span>,
          },
          { head: 'Revenue', align: 'end', render: ({ revenue }) => formatMoney(revenue, days.currency) },
          { head: 'Orders', align: 'end', render: ({ orders }) => orders.toLocaleString() },
          { head: 'New customers', align: 'end', render: ({ customers }) => customers.toLocaleString() },
          { head: 'Visitors', align: 'end', render: ({ visits }) => visits.toLocaleString() },
        ]}
      />
      {rows.length < newest.length && (
        <div className="flex">
          <Button onClick={() => setIsWhole(true)}>Show all {newest.length} days</Button>
        </div>
      )}
    </Panel>
  )
}
