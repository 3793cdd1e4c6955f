import type { Scope } from '@keystall/contract/scopes'
import type { LinkProps } from '@tanstack/react-router'
import {
  Blocks,
  Cable,
  ChartLine,
  CreditCard,
  Flag,
  House,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Package,
  ReceiptText,
  ScrollText,
  Settings,
  ShieldCheck,
  Siren,
  Star,
  Store,
  TicketPercent,
  UserCog,
  Users,
  UsersRound,
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
    title: 'Store',
    links: [
      { to: '/stores/$storeId/settings', label: 'Settings', icon: Settings, needs: 'ViewStores', goKey: 's' },
      { to: '/stores/$storeId/members', label: 'Members', icon: UsersRound, needs: 'UpdateStores', goKey: 'm' },
      { to: '/stores/$storeId/audit-log', label: 'Audit log', icon: ScrollText, needs: 'UpdateStores' },
      { to: '/stores/$storeId/privacy', label: 'Privacy', icon: ShieldCheck, needs: 'ViewStores' },
    ],
  },
  {
    title: 'Staff',
    isForStaff: true,
    links: [
      { to: '/staff/reports', label: 'Reports', icon: Siren },
      { to: '/staff/flagged-reviews', label: 'Flagged reviews', icon: Flag },
      { to: '/staff/stores', label: 'All stores', icon: Store },
      { to: '/staff/users', label: 'All accounts', icon: UserCog },
      { to: '/staff/log', label: 'Staff log', icon: ScrollText },
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
