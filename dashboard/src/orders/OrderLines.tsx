import type { OrderById } from '@keystall/contract/shapes/order'
import type { OrderRecord } from '@keystall/contract/shapes/order-record'
import { Card } from '../ui/Card.tsx'
import { formatMoney } from '../ui/money.ts'
import { Panel } from '../ui/Panel.tsx'

/** What was bought, and how its price adds up. */
export function OrderLines({ order, record }: { order: OrderById; record: OrderRecord }) {
  const money = (amount: number) => formatMoney(amount, record.currency)
  const sums = [
    { name: 'Subtotal', amount: record.subtotal, isShown: record.discount > 0 || record.fee > 0 },
    {
      name: order.coupon ? `Coupon ${order.coupon.name}` : 'Discount',
      amount: -record.discount,
      isShown: record.discount > 0,
    },
    { name: 'Payment fee', amount: record.fee, isShown: record.fee > 0 },
  ]
  return (
    <Panel title="Products">
      <Card>
        <ul className="divide-y divide-line">
          {record.lines.map((line) => (
            <li key={line.productId} className="flex items-baseline gap-4 px-4 py-3">
              <span className="w-8 shrink-0 text-soft tabular-nums">{line.quantity} ×</span>
              <span className="min-w-0 flex-1">
                <span className="block font-medium wrap-anywhere">{line.name}</span>
                <span className="text-sm text-soft">{delivered(line)}</span>
              </span>
              <span className="tabular-nums">{money(line.cost * line.quantity)}</span>
            </li>
          ))}
        </ul>
        <dl className="flex flex-col gap-1 border-t border-line px-4 py-3 tabular-nums">
          {sums
            .filter(({ isShown }) => isShown)
            .map(({ name, amount }) => (
              <div key={name} className="flex justify-between gap-4 text-soft">
                <dt>{name}</dt>
                <dd>{money(amount)}</dd>
              </div>
            ))}
          <div className="flex justify-between gap-4 font-semibold">
            <dt>Total</dt>
            <dd>{money(order.cost)}</dd>
          </div>
          {(record.refunded > 0 || order.amountPaid !== order.cost) && (
            <div className="flex justify-between gap-4 text-soft">
              <dt>{record.refunded > 0 ? 'Paid, less refunds' : 'Paid'}</dt>
              <dd>{money(order.amountPaid)}</dd>
            </div>
          )}
        </dl>
      </Card>
    </Panel>
  )
}

function delivered(line: OrderRecord['lines'][number]) {
  if (line.failure !== null) return `Not handed over: ${line.failure}`
  if (line.isWaiting) return 'Waits for items'
  if (line.dateDelivered === null) return 'Not handed over yet'
  if (!line.deliversFile) return 'Handed over'
  if (line.fileDownloads === 0) return 'Handed over · file not downloaded yet'
  return line.fileDownloads === 1
    ? 'Handed over · file downloaded once'
    : `Handed over · file downloaded ${line.fileDownloads} times`
}
