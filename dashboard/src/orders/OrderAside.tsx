import type { OrderById } from '@keystall/contract/shapes/order'
import type { OrderRecord } from '@keystall/contract/shapes/order-record'
import { Link } from '@tanstack/react-router'
import { browserName } from '../account/browser-name.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { CodeText } from '../ui/CodeText.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Facts, Panel } from '../ui/Panel.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { textLink } from '../ui/text-link.ts'
import { gatewayName } from './gateways.ts'

const countries = new Intl.DisplayNames(undefined, { type: 'region' })

/** Who bought, and everything else that is known. */
export function OrderAside({ order, record }: { order: OrderById; record: OrderRecord }) {
  const store = useCurrentStore()
  const { customer } = order
  return (
    <aside aria-label="About this order" className="flex flex-col gap-6">
      <Panel title="Customer">
        <Facts
          facts={[
            [
              'E-mail',
              <Link
                key="link"
                to="/stores/$storeId/customers/$customerId"
                params={{ storeId: store.id, customerId: customer.id }}
                className={textLink}
              >
                {customer.emailAddress}
              </Link>,
            ],
            ['Since', <RelativeTime key="since" at={customer.dateCreated} />],
            ['Country', order.countryCode && (countries.of(order.countryCode) ?? order.countryCode)],
            [
              'IP address',
              order.ipAddress && (
                <span key="ip" className="font-mono text-sm">
                  {order.ipAddress}
                </span>
              ),
            ],
            [
              'Browser',
              order.userAgent && (
                <span key="browser" title={order.userAgent}>
                  {browserName(order.userAgent)}
                </span>
              ),
            ],
          ]}
        />
      </Panel>
      {order.customValues.length > 0 && (
        <Panel title="Answers">
          <Facts facts={order.customValues.map(({ key, value }) => [key, value] as const)} />
        </Panel>
      )}
      <Panel title="Details">
        <Facts
          facts={[
            ['Paid by', gatewayName(order.gateway)],
            ['Paid', record.datePaid && <RelativeTime key="paid" at={record.datePaid} />],
            ['Delivered', record.dateDelivered && <RelativeTime key="delivered" at={record.dateDelivered} />],
            ['Expires', record.expiresAt && <RelativeTime key="expires" at={record.expiresAt} />],
            ['Coupon', order.coupon && `${order.coupon.name} · ${order.coupon.percentageDecrease} %`],
            [
              'Transaction',
              order.transactionId && <CodeText key="transaction" text={order.transactionId} name="transaction" />,
            ],
            [
              'Address',
              order.cryptocurrencyAddress && (
                <CodeText key="address" text={order.cryptocurrencyAddress} name="payment address" />
              ),
            ],
            ...Object.entries(record.metadata).map(([name, value]) => [name, value] as const),
          ]}
        />
        <div className="flex">
          <CopyButton text={record.checkoutUrl} label="Copy the buyer's link" />
        </div>
      </Panel>
    </aside>
  )
}
