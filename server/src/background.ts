import { accountPerformers, accountSchedules } from '#account/jobs'
import { analyticsPerformers, analyticsSchedules } from '#analytics/jobs'
import { auditLogPerformers, auditLogSchedules } from '#audit-log/jobs'
import { couponPerformers, couponSchedules } from '#coupons/jobs'
import { customDomainPerformers, customDomainSchedules } from '#custom-domain/jobs'
import { customerPerformers, customerSchedules } from '#customers/jobs'
import { memberPerformers, memberSchedules } from '#members/jobs'
import { oauth2Performers, oauth2Schedules } from '#oauth2/jobs'
import { operatorPerformers } from '#operator/jobs'
import { dynamicOutcomes } from '#orders/dynamic-answer'
import { orderPerformers } from '#orders/jobs'
import { till } from '#orders/till'
import { paymentPerformers, paymentSchedules } from '#payments/jobs'
import { idempotencyPerformers, idempotencySchedules } from '#platform/idempotency/jobs'
import type { Performer, Schedule, Watch } from '#platform/jobs/job'
import { mailPerformers, mailSchedules } from '#platform/mail/jobs'
import { privacyPerformers, privacySchedules } from '#privacy/jobs'
import { productPerformers, productSchedules } from '#products/jobs'
import { reportPerformers, reportSchedules } from '#reports/jobs'
import { reviewPerformers } from '#reviews/jobs'
import { storePerformers, storeSchedules } from '#stores/jobs'
import { ticketPerformers, ticketSchedules } from '#tickets/jobs'
import { webhookPerformers, webhookSchedules, webhookWatches } from '#webhooks/jobs'

/** What can be left to do later, by whatever module. */
export const performers: Performer[] = [
  ...accountPerformers,
  ...analyticsPerformers,
  ...auditLogPerformers,
  ...couponPerformers,
  ...customDomainPerformers,
  ...customerPerformers,
  ...idempotencyPerformers,
  ...mailPerformers,
  ...memberPerformers,
  ...operatorPerformers,
  ...oauth2Performers,
  ...orderPerformers,
  ...paymentPerformers(till),
  ...productPerformers,
  ...privacyPerformers,
  ...reportPerformers,
  ...reviewPerformers,
  ...storePerformers,
  ...ticketPerformers,
  ...webhookPerformers(dynamicOutcomes),
]
/** What is done again and again. */
export const schedules: Schedule[] = [
  ...accountSchedules,
  ...analyticsSchedules,
  ...auditLogSchedules,
  ...couponSchedules,
  ...customDomainSchedules,
  ...customerSchedules,
  ...idempotencySchedules,
  ...mailSchedules,
  ...paymentSchedules,
  ...memberSchedules,
  ...productSchedules,
  ...oauth2Schedules,
  ...privacySchedules,
  ...reportSchedules,
  ...storeSchedules,
  ...ticketSchedules,
  ...webhookSchedules,
]
export const watches: Watch[] = webhookWatches
