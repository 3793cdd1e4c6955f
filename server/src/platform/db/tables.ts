import type { AccountTables } from '#account/tables'
import type { AffiliateTables } from '#affiliates/tables'
import type { AnalyticsTables } from '#analytics/tables'
import type { AppTables } from '#apps/tables'
import type { AuditLogTables } from '#audit-log/tables'
import type { CouponTables } from '#coupons/tables'
import type { CreditTables } from '#credit/tables'
import type { CustomDomainTables } from '#custom-domain/tables'
import type { CustomerTables } from '#customers/tables'
import type { EventTables } from '#events/tables'
import type { FaqTables } from '#faq/tables'
import type { IdempotencyTables } from '#platform/idempotency/tables'
import type { JobTables } from '#platform/jobs/tables'
import type { KeyTables } from '#keys/tables'
import type { MemberTables } from '#members/tables'
import type { Oauth2Tables } from '#oauth2/tables'
import type { OrderTables } from '#orders/tables'
import type { PaymentTables } from '#payments/tables'
import type { MailTables } from '#platform/mail/tables'
import type { PrivacyTables } from '#privacy/tables'
import type { ProductGroupTables } from '#product-groups/tables'
import type { ProductTables } from '#products/tables'
import type { ReportTables } from '#reports/tables'
import type { ReviewTables } from '#reviews/tables'
import type { StoreTables } from '#stores/tables'
import type { SubscriptionTables } from '#subscriptions/tables'
import type { TicketTables } from '#tickets/tables'
import type { WebhookTables } from '#webhooks/tables'

/** Every table of the database. A module adds its own by one import and one name here. */
export interface Tables
  extends AccountTables,
    AffiliateTables,
    AnalyticsTables,
    AppTables,
    AuditLogTables,
    CouponTables,
    CreditTables,
    CustomDomainTables,
    CustomerTables,
    EventTables,
    FaqTables,
    IdempotencyTables,
    JobTables,
    KeyTables,
    MailTables,
    MemberTables,
    Oauth2Tables,
    OrderTables,
    PaymentTables,
    PrivacyTables,
    ProductGroupTables,
    ProductTables,
    ReportTables,
    ReviewTables,
    StoreTables,
    SubscriptionTables,
    TicketTables,
    WebhookTables {}
