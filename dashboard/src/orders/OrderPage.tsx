import type { OrderById } from '@keystall/contract/shapes/order'
import type { OrderRecord } from '@keystall/contract/shapes/order-record'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { PaymentByHand } from '../payments/PaymentByHand.tsx'
import { useCurrentStore } from '../stores/current-store.ts'
import { CodeText } from '../ui/CodeText.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { formatMoney } from '../ui/money.ts'
import { Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { DeliveredItems } from './DeliveredItems.tsx'
import { OrderActs } from './OrderActs.tsx'
import { OrderAside } from './OrderAside.tsx'
import { OrderHistory } from './OrderHistory.tsx'
import { OrderLines } from './OrderLines.tsx'
import { Attempts, Payments, Reveals } from './OrderRecords.tsx'
import { OrderState } from './order-status.tsx'
import { orderQuery, recordQuery } from './orders.ts'

export function OrderPage() {
  const store = useCurrentStore()
  const { orderId } = useParams({ from: '/workbench/stores/$storeId/orders/$orderId' })
  const order = useQuery(orderQuery(store.id, orderId))
  const record = useQuery(recordQuery(store.id, orderId))
  const failed = order.isError ? order : record.isError ? record : undefined
  return (
    <Page
      title={order.data ? order.data.customer.emailAddress : 'Order'}
      words={order.data && record.data && <Headline order={order.data} record={record.data} />}
      back={{ to: '/stores/$storeId/orders', params: { storeId: store.id }, label: 'Orders' }}
      act={order.data && record.data && <OrderActs order={order.data} record={record.data} />}
    >
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !order.data || !record.data ? (
        <SkeletonForm fields={4} />
      ) : (
        <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_300px]">
          <div className="flex min-w-0 flex-col gap-8">
            <Trouble record={record.data} order={order.data} />
            <PaymentByHand storeId={store.id} orderId={orderId} currency={record.data.currency} />
            <OrderLines order={order.data} record={record.data} />
            <DeliveredItems order={order.data} />
            <Payments record={record.data} />
            <OrderHistory orderId={orderId} currency={record.data.currency} />
            <Reveals record={record.data} />
            <Attempts record={record.data} />
          </div>
          <OrderAside order={order.data} record={record.data} />
        </div>
      )}
    </Page>
  )
}

function Headline({ order, record }: { order: OrderById; record: OrderRecord }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <OrderState status={order.status} />
      <span className="font-medium text-text tabular-nums">{formatMoney(order.cost, record.currency)}</span>
      <RelativeTime at={order.dateCreated} />
      <CodeText text={order.id} name="order ID" />
    </span>
  )
}

/** Why it stands still, in the words of whoever could not go on. */
function Trouble({ order, record }: { order: OrderById; record: OrderRecord }) {
  const failed = record.lines.find(({ failure }) => failure !== null)
  const waiting = record.lines.find(({ isWaiting }) => isWaiting)
  if (order.status === 'Undeliverable') {
    return (
      <Notice kind="danger">
        {failed
          ? `${failed.name} could not be handed over: ${failed.failure}.`
          : 'It is paid and could not be handed over.'}{' '}
        Mend the cause and try again, or refund it.
      </Notice>
    )
  }
  if (waiting) {
    return (
      <Notice kind="warning">
        {waiting.name} is sold out. The order is delivered by itself as soon as items are appended.
      </Notice>
    )
  }
  if (order.status === 'Disputed') {
    return <Notice kind="danger">The buyer disputes the payment. Answer at the payment provider.</Notice>
  }
  return null
}
