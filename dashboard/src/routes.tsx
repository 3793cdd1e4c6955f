import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { accountQuery } from './account/account.ts'
import { readPeriod } from './analytics/analytics.ts'
import { failureOf, queryClient } from './api.ts'
import { readProductFilter } from './products/filter.ts'
import { readConsentSearch } from './oauth2/consent.ts'
import { readOrderSearch } from './orders/search.ts'
import { readReviewSearch } from './reviews/reviews.ts'
import { parseSearch, stringifySearch, textOf } from './search.ts'
import { chooseStore } from './stores/chosen-store.ts'
import { NoSuchStore } from './stores/NoSuchStore.tsx'
import { readTicketSearch } from './tickets/tickets.ts'
import { FailedPage } from './ui/FailedPage.tsx'
import { NotFoundPage } from './ui/NotFoundPage.tsx'
import { Toasts } from './ui/Toast.tsx'

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
})

const guest = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path })

const signIn = createRoute({
  ...guest('/sign-in'),
  validateSearch: (search) => textOf(search, 'next'),
  component: lazyRouteComponent(() => import('./account/SignInPage.tsx'), 'SignInPage'),
})

const signUp = createRoute({
  ...guest('/sign-up'),
  validateSearch: (search) => ({ ...textOf(search, 'ref'), ...textOf(search, 'next') }),
  component: lazyRouteComponent(() => import('./account/SignUpPage.tsx'), 'SignUpPage'),
})

const confirm = createRoute({
  ...guest('/confirm'),
  validateSearch: (search) => textOf(search, 'token'),
  component: lazyRouteComponent(() => import('./account/ConfirmPage.tsx'), 'ConfirmPage'),
})

const confirmEmail = createRoute({
  ...guest('/confirm-email'),
  validateSearch: (search) => textOf(search, 'token'),
  component: lazyRouteComponent(() => import('./account/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
})

const forgotPassword = createRoute({
  ...guest('/forgot-password'),
  component: lazyRouteComponent(() => import('./account/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
})

const resetPassword = createRoute({
  ...guest('/reset-password'),
  validateSearch: (search) => textOf(search, 'token'),
  component: lazyRouteComponent(() => import('./account/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
})

const invitation = createRoute({
  ...guest('/invitation'),
  validateSearch: (search) => ({ ...textOf(search, 'store'), ...textOf(search, 'token') }),
  component: lazyRouteComponent(() => import('./members/InvitationPage.tsx'), 'InvitationPage'),
})

const mails = createRoute({
  ...guest('/development/mails'),
  component: lazyRouteComponent(() => import('./development/MailsPage.tsx'), 'MailsPage'),
})

/** Who is not signed in is sent to the door, and back here afterwards. */
async function askToSignIn({ location }: { location: { href: string } }) {
  try {
    await queryClient.ensureQueryData(accountQuery)
  } catch (error) {
    if (failureOf(error).code !== 'BadToken') throw error
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
  }
}

const consent = createRoute({
  ...guest('/oauth2/$appId'),
  validateSearch: readConsentSearch,
  beforeLoad: askToSignIn,
  component: lazyRouteComponent(() => import('./oauth2/ConsentPage.tsx'), 'ConsentPage'),
})

const workbench = createRoute({
  getParentRoute: () => root,
  id: 'workbench',
  beforeLoad: askToSignIn,
  component: lazyRouteComponent(() => import('./workbench/Workbench.tsx'), 'Workbench'),
})

const inside = <Path extends string>(path: Path) => ({ getParentRoute: () => workbench, path })

const pages = [
  createRoute({
    ...inside('/'),
    validateSearch: readPeriod,
    component: lazyRouteComponent(() => import('./home/HomePage.tsx'), 'HomePage'),
  }),
  createRoute({
    ...inside('/account'),
    component: lazyRouteComponent(() => import('./account/AccountPage.tsx'), 'AccountPage'),
  }),
  createRoute({ ...inside('/apps'), component: lazyRouteComponent(() => import('./apps/AppsPage.tsx'), 'AppsPage') }),
  createRoute({
    ...inside('/apps/new'),
    component: lazyRouteComponent(() => import('./apps/NewAppPage.tsx'), 'NewAppPage'),
  }),
  createRoute({
    ...inside('/apps/$appId'),
    component: lazyRouteComponent(() => import('./apps/AppPage.tsx'), 'AppPage'),
  }),
  createRoute({
    ...inside('/connected-apps'),
    component: lazyRouteComponent(() => import('./apps/ConnectedAppsPage.tsx'), 'ConnectedAppsPage'),
  }),
  createRoute({ ...inside('/keys'), component: lazyRouteComponent(() => import('./keys/KeysPage.tsx'), 'KeysPage') }),
  createRoute({
    ...inside('/keys/new'),
    component: lazyRouteComponent(() => import('./keys/NewKeyPage.tsx'), 'NewKeyPage'),
  }),
] as const

/** What staff see; the API answers nobody else. */
const doneOf = (search: Record<string, unknown>): { state?: 'done' } =>
  search['state'] === 'done' ? { state: 'done' } : {}

const staffPages = [
  createRoute({
    ...inside('/staff/reports'),
    validateSearch: doneOf,
    component: lazyRouteComponent(() => import('./staff/StaffReportsPage.tsx'), 'StaffReportsPage'),
  }),
  createRoute({
    ...inside('/staff/flagged-reviews'),
    validateSearch: doneOf,
    component: lazyRouteComponent(() => import('./staff/StaffFlagsPage.tsx'), 'StaffFlagsPage'),
  }),
  createRoute({
    ...inside('/staff/stores'),
    validateSearch: (search) => textOf(search, 'query'),
    component: lazyRouteComponent(() => import('./staff/StaffStoresPage.tsx'), 'StaffStoresPage'),
  }),
  createRoute({
    ...inside('/staff/stores/$staffStoreId'),
    component: lazyRouteComponent(() => import('./staff/StaffStorePage.tsx'), 'StaffStorePage'),
  }),
  createRoute({
    ...inside('/staff/users'),
    validateSearch: (search) => textOf(search, 'query'),
    component: lazyRouteComponent(() => import('./staff/StaffUsersPage.tsx'), 'StaffUsersPage'),
  }),
  createRoute({
    ...inside('/staff/log'),
    component: lazyRouteComponent(() => import('./staff/StaffLogPage.tsx'), 'StaffLogPage'),
  }),
] as const

/** The pages of one store. Whoever opens one has chosen its store. */
const store = createRoute({
  ...inside('/stores/$storeId'),
  beforeLoad: async ({ params: { storeId }, preload }) => {
    const { stores } = await queryClient.ensureQueryData(accountQuery)
    if (!stores.some(({ id }) => id === storeId)) throw notFound()
    if (!preload) chooseStore(storeId)
  },
  notFoundComponent: NoSuchStore,
})

const inStore = <Path extends string>(path: Path) => ({ getParentRoute: () => store, path })

const storePages = [
  createRoute({
    ...inStore('/members'),
    component: lazyRouteComponent(() => import('./members/MembersPage.tsx'), 'MembersPage'),
  }),
  createRoute({
    ...inStore('/members/invite'),
    component: lazyRouteComponent(() => import('./members/InviteMemberPage.tsx'), 'InviteMemberPage'),
  }),
  createRoute({
    ...inStore('/members/$memberId'),
    component: lazyRouteComponent(() => import('./members/MemberPage.tsx'), 'MemberPage'),
  }),
  createRoute({
    ...inStore('/audit-log'),
    component: lazyRouteComponent(() => import('./audit-log/AuditLogPage.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    ...inStore('/privacy'),
    component: lazyRouteComponent(() => import('./privacy/PrivacyPage.tsx'), 'PrivacyPage'),
  }),
  createRoute({
    ...inStore('/settings'),
    component: lazyRouteComponent(() => import('./stores/GeneralPage.tsx'), 'GeneralPage'),
  }),
  createRoute({
    ...inStore('/settings/appearance'),
    component: lazyRouteComponent(() => import('./stores/AppearancePage.tsx'), 'AppearancePage'),
  }),
  createRoute({
    ...inStore('/settings/texts'),
    component: lazyRouteComponent(() => import('./stores/TextsPage.tsx'), 'TextsPage'),
  }),
  createRoute({
    ...inStore('/settings/faq'),
    component: lazyRouteComponent(() => import('./faq/FaqPage.tsx'), 'FaqPage'),
  }),
  createRoute({
    ...inStore('/settings/domain'),
    component: lazyRouteComponent(() => import('./custom-domain/DomainPage.tsx'), 'DomainPage'),
  }),
  createRoute({
    ...inStore('/settings/webhooks'),
    component: lazyRouteComponent(() => import('./webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    ...inStore('/settings/webhooks/new'),
    component: lazyRouteComponent(() => import('./webhooks/WebhookPage.tsx'), 'NewWebhookPage'),
  }),
  createRoute({
    ...inStore('/settings/webhooks/$webhookId'),
    component: lazyRouteComponent(() => import('./webhooks/WebhookPage.tsx'), 'WebhookPage'),
  }),
  createRoute({
    ...inStore('/products'),
    validateSearch: readProductFilter,
    component: lazyRouteComponent(() => import('./products/ProductsPage.tsx'), 'ProductsPage'),
  }),
  createRoute({
    ...inStore('/products/new'),
    component: lazyRouteComponent(() => import('./products/NewProductPage.tsx'), 'NewProductPage'),
  }),
  createRoute({
    ...inStore('/products/$productId'),
    component: lazyRouteComponent(() => import('./products/ProductPage.tsx'), 'ProductPage'),
  }),
  createRoute({
    ...inStore('/products/$productId/items'),
    component: lazyRouteComponent(() => import('./products/ItemsPage.tsx'), 'ItemsPage'),
  }),
  createRoute({
    ...inStore('/product-groups'),
    component: lazyRouteComponent(() => import('./product-groups/ProductGroupsPage.tsx'), 'ProductGroupsPage'),
  }),
  createRoute({
    ...inStore('/product-groups/$groupId'),
    component: lazyRouteComponent(() => import('./product-groups/ProductGroupPage.tsx'), 'ProductGroupPage'),
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
    component: lazyRouteComponent(() => import('./orders/OrdersPage.tsx'), 'OrdersPage'),
  }),
  createRoute({
    ...inStore('/orders/$orderId'),
    component: lazyRouteComponent(() => import('./orders/OrderPage.tsx'), 'OrderPage'),
  }),
  createRoute({
    ...inStore('/customers'),
    validateSearch: (search) => textOf(search, 'query'),
    component: lazyRouteComponent(() => import('./customers/CustomersPage.tsx'), 'CustomersPage'),
  }),
  createRoute({
    ...inStore('/customers/$customerId'),
    component: lazyRouteComponent(() => import('./customers/CustomerPage.tsx'), 'CustomerPage'),
  }),
  createRoute({
    ...inStore('/subscriptions'),
    component: lazyRouteComponent(() => import('./subscriptions/SubscriptionsPage.tsx'), 'SubscriptionsPage'),
  }),
  createRoute({
    ...inStore('/blocked'),
    component: lazyRouteComponent(() => import('./customers/BlockListPage.tsx'), 'BlockListPage'),
  }),
  createRoute({
    ...inStore('/payment-methods'),
    component: lazyRouteComponent(() => import('./payments/PaymentMethodsPage.tsx'), 'PaymentMethodsPage'),
  }),
  createRoute({
    ...inStore('/coupons'),
    component: lazyRouteComponent(() => import('./coupons/CouponsPage.tsx'), 'CouponsPage'),
  }),
  createRoute({
    ...inStore('/coupons/new'),
    component: lazyRouteComponent(() => import('./coupons/NewCouponPage.tsx'), 'NewCouponPage'),
  }),
  createRoute({
    ...inStore('/coupons/$couponId'),
    component: lazyRouteComponent(() => import('./coupons/CouponPage.tsx'), 'CouponPage'),
  }),
  createRoute({
    ...inStore('/tickets'),
    validateSearch: readTicketSearch,
    component: lazyRouteComponent(() => import('./tickets/TicketsPage.tsx'), 'TicketsPage'),
  }),
  createRoute({
    ...inStore('/tickets/canned-replies'),
    component: lazyRouteComponent(() => import('./tickets/CannedRepliesPage.tsx'), 'CannedRepliesPage'),
  }),
  createRoute({
    ...inStore('/tickets/$ticketId'),
    component: lazyRouteComponent(() => import('./tickets/TicketPage.tsx'), 'TicketPage'),
  }),
  createRoute({
    ...inStore('/reviews'),
    validateSearch: readReviewSearch,
    component: lazyRouteComponent(() => import('./reviews/ReviewsPage.tsx'), 'ReviewsPage'),
  }),
  createRoute({
    ...inStore('/analytics'),
    validateSearch: readPeriod,
    component: lazyRouteComponent(() => import('./analytics/AnalyticsPage.tsx'), 'AnalyticsPage'),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signUp,
    confirm,
    confirmEmail,
    forgotPassword,
    resetPassword,
    invitation,
    mails,
    consent,
    workbench.addChildren([...pages, ...staffPages, store.addChildren(storePages)]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: FailedPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
