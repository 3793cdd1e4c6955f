import type { Scope } from '@keystall/contract/scopes'
import type { LinkProps } from '@tanstack/react-router'
import {
  Blocks,
  Cable,
  ChartLine,
  CreditCard,
  House,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Package,
  ReceiptText,
  Star,
  TicketPercent,
  Users,
} from 'lucide-react'

export interface SectionLink {
  /** `$storeId` in it is the chosen store: the line is hidden while there is none. */
  to: NonNullable<LinkProps['to']>
  label: string
  icon: LucideIcon
  /** Shown only to whom this is given in the chosen store. */
  needs?: Scope
  /** The key after `g` that leads there. */
  goKey?: string
  /** Stands in the bottom bar of a phone; the rest is under More. */
  isFirst?: true
}

export interface Section {
  title?: string
  isForStaff?: true
  links: readonly SectionLink[]
}

/** What the rail, the bottom bar and the palette offer, in order. A resource with pages of its own adds its line here. */
export const sections: readonly Section[] = [
  {
    links: [
      { to: '/', label: 'Home', icon: House, goKey: 'h', isFirst: true },
      {
        to: '/stores/$storeId/orders',
        label: 'Orders',
        icon: ReceiptText,
        needs: 'ViewOrders',
        goKey: 'o',
        isFirst: true,
      },
      { to: '/stores/$storeId/customers', label: 'Customers', icon: Users, needs: 'ViewOrders', goKey: 'c' },
      {
        to: '/stores/$storeId/products',
        label: 'Products',
        icon: Package,
        needs: 'ViewProducts',
        goKey: 'p',
        isFirst: true,
      },
      { to: '/stores/$storeId/coupons', label: 'Coupons', icon: TicketPercent, needs: 'ViewCoupons', goKey: 'u' },
      {
        to: '/stores/$storeId/tickets',
        label: 'Tickets',
        icon: MessagesSquare,
        needs: 'ViewTickets',
        goKey: 't',
        isFirst: true,
      },
      { to: '/stores/$storeId/reviews', label: 'Reviews', icon: Star, needs: 'ViewStores', goKey: 'r' },
      { to: '/stores/$storeId/analytics', label: 'Analytics', icon: ChartLine, needs: 'ViewStores', goKey: 'a' },
      { to: '/stores/$storeId/payment-methods', label: 'Payment methods', icon: CreditCard, needs: 'ViewStores' },
    ],
  },
  {
    title: 'Developers',
    links: [
      { to: '/apps', label: 'Apps', icon: Blocks },
      { to: '/keys', label: 'Keys', icon: KeyRound, goKey: 'k' },
      { to: '/connected-apps', label: 'Connected apps', icon: Cable },
    ],
  },
]
