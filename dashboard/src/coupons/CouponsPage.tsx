import type { Coupon } from '@keystall/contract/shapes/coupon'
import { Link } from '@tanstack/react-router'
import { Plus, TicketPercent } from 'lucide-react'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Status } from '../ui/Status.tsx'
import { rowLink } from '../ui/Table.tsx'
import { couponPage } from './coupons.ts'

export function CouponsPage() {
  const store = useCurrentStore()
  const create = useMay('CreateCoupons') && (
    <Link to="/stores/$storeId/coupons/new" params={{ storeId: store.id }} className={buttonClass('primary')}>
      <Plus aria-hidden />
      Create coupon
    </Link>
  )
  return (
    <Page title="Coupons" words="Codes that make an order cheaper." act={create}>
      <PagedTable
        caption="Coupons"
        pageOf={couponPage(store.id)}
        rowKey={(coupon) => coupon.id}
        columns={[
          {
            head: 'Code',
            isName: true,
            render: (coupon) => (
              <Link
                to="/stores/$storeId/coupons/$couponId"
                params={{ storeId: store.id, couponId: coupon.id }}
                className={`${rowLink} font-mono`}
              >
                {coupon.name}
              </Link>
            ),
          },
          { head: 'State', render: (coupon) => <CouponState coupon={coupon} /> },
          { head: 'Off', align: 'end', render: (coupon) => `${coupon.percentageDecrease.toLocaleString()} %` },
          { head: 'Used', align: 'end', render: usesOf },
          { head: 'Created', align: 'end', render: (coupon) => <RelativeTime at={coupon.dateCreated} /> },
        ]}
        empty={
          <EmptyState
            icon={TicketPercent}
            title="No coupons yet"
            words="A coupon is a code for buyers: ten percent for a newsletter, or everything for a friend."
            act={create}
          />
        }
      />
    </Page>
  )
}

function CouponState({ coupon }: { coupon: Coupon }) {
  if (!coupon.isEnabled) return <Status kind="neutral">Disabled</Status>
  if (coupon.maximumUses !== -1 && coupon.uses >= coupon.maximumUses) return <Status kind="warning">Used up</Status>
  return <Status kind="success">Enabled</Status>
}

function usesOf({ uses, maximumUses }: Coupon) {
  return maximumUses === -1
    ? `${uses.toLocaleString()} times`
    : `${uses.toLocaleString()} of ${maximumUses.toLocaleString()}`
}
