import { recordAct } from '#audit-log/act'
import { findCoupon } from '#coupons/coupon'
import { findCustomer } from '#customers/customer'
import { findFaqEntry } from '#faq/faq'
import { admitKey, admitSession } from '#keys/admission'
import { admitOrder, findOrder } from '#orders/order-key'
import type { Gate } from '#platform/http/gate'
import type { Platform } from '#platform/platform'
import { findProductGroup } from '#product-groups/product-group'
import { findProduct } from '#products/product'
import { findReview } from '#reviews/review'
import { findTicket, findTicketOfOrder } from '#tickets/ticket'

/** Who may come in, as the modules know it: the platform knows none of them. */
export function createGate(platform: Platform): Gate {
  return {
    admitKey: (apiKey, storeId, visit, wanted) => admitKey(platform, apiKey, storeId, visit, wanted),
    admitSession: (token, storeId, visit) => admitSession(platform, token, storeId, visit),
    admitOrder: (orderId, key) => admitOrder(platform.db, orderId, key),
    recordAct,
    loaders: {
      groupId: findProductGroup,
      productId: findProduct,
      faqId: findFaqEntry,
      reviewId: findReview,
      ticketId: findTicket,
      couponId: findCoupon,
      orderId: findOrder,
      customerId: findCustomer,
    },
    orderLoaders: { ticketId: findTicketOfOrder },
  }
}
