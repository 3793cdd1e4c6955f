import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { accountQuery } from '../account/account.ts'
import { readPeriod } from '../analytics/period.ts'
import { queryClient } from '../api.ts'
import { readOrderSearch } from '../orders/search.ts'
import { readProductFilter } from '../products/filter.ts'
import { readReviewSearch } from '../reviews/search.ts'
import { textOf } from '../search.ts'
import { chooseStore } from '../stores/chosen-store.ts'
import { NoSuchStore } from '../stores/NoSuchStore.tsx'
import { readTicketSearch } from '../tickets/search.ts'
import { inside } from './workbench.ts'

/** The pages of one store. Whoever opens one has chosen its store. */
export const store = createRoute({
  ...inside('/stores/$storeId'),
  beforeLoad: async ({ params: { storeId }, preload }) => {
    const { stores } = await queryClient.ensureQueryData(accountQuery)
    if (!stores.some(({ id }) => id === storeId)) throw notFound()
    if (!preload) chooseStore(storeId)
  },
  notFoundComponent: NoSuchStore,
})

const inStore = <Path extends string>(path: Path) => ({ getParentRoute: () => store, path })

export const storePages = [
  createRoute({
    ...inStore('/members'),
    component: lazyRouteComponent(() => import('../members/MembersPage.tsx'), 'MembersPage'),
  }),
  createRoute({
    ...inStore('/members/invite'),
    component: lazyRouteComponent(() => import('../members/InviteMemberPage.tsx'), 'InviteMemberPage'),
  }),
  createRoute({
    ...inStore('/members/$memberId'),
    component: lazyRouteComponent(() => import('../members/MemberPage.tsx'), 'MemberPage'),
  }),
  createRoute({
    ...inStore('/audit-log'),
    component: lazyRouteComponent(() => import('../audit-log/AuditLogPage.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    ...inStore('/privacy'),
    component: lazyRouteComponent(() => import('../privacy/PrivacyPage.tsx'), 'PrivacyPage'),
  }),
  createRoute({
    ...inStore('/settings'),
    component: lazyRouteComponent(() => import('../stores/GeneralPage.tsx'), 'GeneralPage'),
  }),
  createRoute({
    ...inStore('/settings/appearance'),
    component: lazyRouteComponent(() => import('../stores/AppearancePage.tsx'), 'AppearancePage'),
  }),
  createRoute({
    ...inStore('/settings/texts'),
    component: lazyRouteComponent(() => import('../stores/TextsPage.tsx'), 'TextsPage'),
  }),
  createRoute({
    ...inStore('/settings/faq'),
    component: lazyRouteComponent(() => import('../faq/FaqPage.tsx'), 'FaqPage'),
  }),
  createRoute({
    ...inStore('/settings/domain'),
    component: lazyRouteComponent(() => import('../custom-domain/DomainPage.tsx'), 'DomainPage'),
  }),
  createRoute({
    ...inStore('/settings/webhooks'),
    component: lazyRouteComponent(() => import('../webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    ...inStore('/settings/webhooks/new'),
    component: lazyRouteComponent(() => import('../webhooks/WebhookPage.tsx'), 'NewWebhookPage'),
  }),
  createRoute({
    ...inStore('/settings/webhooks/$webhookId'),
    component: lazyRouteComponent(() => import('../webhooks/WebhookPage.tsx'), 'WebhookPage'),
  }),
  createRoute({
    ...inStore('/products'),
    validateSearch: readProductFilter,
    component: lazyRouteComponent(() => import('../products/ProductsPage.tsx'), 'ProductsPage'),
  }),
  createRoute({
    ...inStore('/products/new'),
    component: lazyRouteComponent(() => import('../products/NewProductPage.tsx'), 'NewProductPage'),
  }),
  createRoute({
    ...inStore('/products/$productId'),
    component: lazyRouteComponent(() => import('../products/ProductPage.tsx'), 'ProductPage'),
  }),
  createRoute({
    ...inStore('/products/$productId/items'),
    component: lazyRouteComponent(() => import('../products/ItemsPage.tsx'), 'ItemsPage'),
  }),
  createRoute({
    ...inStore('/product-groups'),
    component: lazyRouteComponent(() => import('../product-groups/ProductGroupsPage.tsx'), 'ProductGroupsPage'),
  }),
  createRoute({
    ...inStore('/product-groups/$groupId'),
    component: lazyRouteComponent(() => import('../product-groups/ProductGroupPage.tsx'), 'ProductGroupPage'),
  }),
  createRoute({
    ...inStore('/'),
    beforeLoad: () => {
      throw redirect({ to: '/' })
    },
  }),
  createRoute({
    ...inStore('/orders'),
    validateSearch: readOrderSearch,
    component: lazyRouteComponent(() => import('../orders/OrdersPage.tsx'), 'OrdersPage'),
  }),
  createRoute({
    ...inStore('/orders/$orderId'),
    component: lazyRouteComponent(() => import('../orders/OrderPage.tsx'), 'OrderPage'),
  }),
  createRoute({
    ...inStore('/customers'),
    validateSearch: (search) => textOf(search, 'query'),
    component: lazyRouteComponent(() => import('../customers/CustomersPage.tsx'), 'CustomersPage'),
  }),
  createRoute({
    ...inStore('/customers/$customerId'),
    component: lazyRouteComponent(() => import('../customers/CustomerPage.tsx'), 'CustomerPage'),
  }),
  createRoute({
    ...inStore('/subscriptions'),
    component: lazyRouteComponent(() => import('../subscriptions/SubscriptionsPage.tsx'), 'SubscriptionsPage'),
  }),
  createRoute({
    ...inStore('/blocked'),
    component: lazyRouteComponent(() => import('../customers/BlockListPage.tsx'), 'BlockListPage'),
  }),
  createRoute({
    ...inStore('/payment-methods'),
    component: lazyRouteComponent(() => import('../payments/PaymentMethodsPage.tsx'), 'PaymentMethodsPage'),
  }),
  createRoute({
    ...inStore('/coupons'),
    component: lazyRouteComponent(() => import('../coupons/CouponsPage.tsx'), 'CouponsPage'),
  }),
  createRoute({
    ...inStore('/coupons/new'),
    component: lazyRouteComponent(() => import('../coupons/NewCouponPage.tsx'), 'NewCouponPage'),
  }),
  createRoute({
    ...inStore('/coupons/$couponId'),
    component: lazyRouteComponent(() => import('../coupons/CouponPage.tsx'), 'CouponPage'),
  }),
  createRoute({
    ...inStore('/tickets'),
    validateSearch: readTicketSearch,
    component: lazyRouteComponent(() => import('../tickets/TicketsPage.tsx'), 'TicketsPage'),
  }),
  createRoute({
    ...inStore('/tickets/canned-replies'),
    component: lazyRouteComponent(() => import('../tickets/CannedRepliesPage.tsx'), 'CannedRepliesPage'),
  }),
  createRoute({
    ...inStore('/tickets/$ticketId'),
    component: lazyRouteComponent(() => import('../tickets/TicketPage.tsx'), 'TicketPage'),
  }),
  createRoute({
    ...inStore('/reviews'),
    validateSearch: readReviewSearch,
    component: lazyRouteComponent(() => import('../reviews/ReviewsPage.tsx'), 'ReviewsPage'),
  }),
  createRoute({
    ...inStore('/analytics'),
    validateSearch: readPeriod,
    component: lazyRouteComponent(() => import('../analytics/AnalyticsPage.tsx'), 'AnalyticsPage'),
  }),
] as const
