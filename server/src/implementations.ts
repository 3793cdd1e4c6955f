import { accountRoutes } from '#account/routes'
import { staffUserRoutes } from '#account/staff-routes'
import { affiliateRoutes } from '#affiliates/routes'
import { analyticsRoutes } from '#analytics/routes'
import { appRoutes } from '#apps/routes'
import { auditLogRoutes } from '#audit-log/routes'
import { checkoutRoutes } from '#checkout/routes'
import { couponRoutes } from '#coupons/routes'
import { creditRoutes } from '#credit/routes'
import { cryptocurrencyRoutes } from '#cryptocurrency/routes'
import { customDomainRoutes } from '#custom-domain/routes'
import { customerRoutes } from '#customers/routes'
import { developmentRoutes } from '#development/routes'
import { eventRoutes } from '#events/routes'
import { faqRoutes } from '#faq/routes'
import { type Draining, healthRoutes } from '#health/routes'
import { disconnectApp, revokeKeysOfApp, revokeKeysOfUser } from '#keys/key'
import { keyRoutes } from '#keys/routes'
import { memberRoutes } from '#members/routes'
import { oauth2Routes } from '#oauth2/routes'
import { openapiRoutes } from '#openapi/routes'
import { claimRoutes } from '#orders/claim-routes'
import { orderRoutes } from '#orders/routes'
import { sellerOrderRoutes } from '#orders/seller-routes'
import { till } from '#orders/till'
import { paymentMethodRoutes } from '#payment-methods/routes'
import { paymentRoutes } from '#payments/routes'
import type { Implementation } from '#platform/http/implement'
import { eraseCustomer } from '#privacy/erasure'
import { privacyRoutes } from '#privacy/routes'
import { productGroupRoutes } from '#product-groups/routes'
import { productRoutes } from '#products/routes'
import { staffProductRoutes } from '#products/staff-routes'
import { quoteRoutes } from '#quote/routes'
import { reportRoutes } from '#reports/routes'
import { reviewRoutes } from '#reviews/routes'
import { storefrontRoutes } from '#storefront/routes'
import { storeRoutes } from '#stores/routes'
import { staffStoreRoutes } from '#stores/staff-routes'
import { subscriptionRoutes } from '#subscriptions/routes'
import { attachmentRoutes } from '#tickets/attachment-routes'
import { ticketRoutes } from '#tickets/routes'
import { userRoutes } from '#user/routes'
import { webhookRoutes } from '#webhooks/routes'

/** What every endpoint of the contract does. */
export const implementationsOf = (draining: Draining): Implementation[] => [
  ...accountRoutes(revokeKeysOfUser),
  ...affiliateRoutes,
  ...analyticsRoutes,
  ...appRoutes({ revokeKeysOfApp, disconnect: disconnectApp }),
  ...auditLogRoutes,
  ...checkoutRoutes,
  ...couponRoutes,
  ...developmentRoutes,
  ...cryptocurrencyRoutes,
  ...customDomainRoutes,
  ...customerRoutes(eraseCustomer),
  ...eventRoutes(draining),
  ...faqRoutes,
  ...healthRoutes(draining),
  ...keyRoutes,
  ...memberRoutes,
  ...oauth2Routes,
  ...openapiRoutes,
  ...orderRoutes,
  ...paymentMethodRoutes(till),
  ...paymentRoutes,
  ...creditRoutes,
  ...claimRoutes,
  ...sellerOrderRoutes,
  ...productGroupRoutes,
  ...productRoutes,
  ...quoteRoutes,
  ...privacyRoutes,
  ...reportRoutes,
  ...reviewRoutes,
  ...storefrontRoutes,
  ...staffProductRoutes,
  ...staffStoreRoutes,
  ...staffUserRoutes,
  ...storeRoutes,
  ...subscriptionRoutes,
  ...attachmentRoutes,
  ...ticketRoutes,
  ...userRoutes,
  ...webhookRoutes,
]
