import assert from 'node:assert/strict'
import { ReportForm } from '@keystall/contract/endpoints/reports'
import { reportTypes } from '@keystall/contract/shapes/staff'
import type { Html } from '@keystall/storefront/html'
import { reportPage, reportSentPage } from '@keystall/storefront/pages/report'
import { emptyDraft } from '@keystall/storefront/shop'
import type { FastifyReply } from 'fastify'
import { transact } from '#platform/db/transaction'
import { validate } from '#platform/http/validation'
import { networkOf } from '#platform/network'
import { Problem } from '#problem'
import { reportStore } from '#reports/report'
import { formOf, refuseForeignOrigin, textOf } from './form.ts'
import { sendPage } from './sending.ts'
import { shopOf } from './shop.ts'
import type { StoreVisit } from './visit.ts'

export async function showReport(visit: StoreVisit): Promise<Html> {
  return reportPage(await shopOf(visit), { draft: emptyDraft, refusal: undefined })
}

export async function sendReport(visit: StoreVisit): Promise<FastifyReply> {
  const { platform, store, request, reply, speech } = visit
  refuseForeignOrigin(request, platform.config)
  const sent = formOf(request)
  const values = {
    type: textOf(sent, 'type'),
    reason: textOf(sent, 'reason'),
    emailAddress: textOf(sent, 'emailAddress').trim(),
  }
  const sending = { request, reply, config: platform.config }
  try {
    platform.limits.takeAttempt(request.ip)
    const { emailAddress, reason } = values
    const type = reportTypes.find((each) => each === values.type)
    const about = { productId: null, orderId: null, orderKey: null }
    const report = { ...about, reason, emailAddress: emailAddress === '' ? null : emailAddress }
    validate(ReportForm, { ...report, type })
    assert(type)
    const network = platform.config.rateLimits === undefined ? null : networkOf(request.ip)
    await transact(platform.db, (tx) => reportStore(tx, store, { ...report, type }, network))
  } catch (error) {
    const isTold = error instanceof Problem && ['ValidationError', 'RateLimited'].includes(error.code)
    if (!isTold) throw error
    const isFields = error.code === 'ValidationError'
    const draft = { values, reasons: isFields ? error.fields : {} }
    const refusal = isFields ? undefined : speech.say('reportedOften')
    return sendPage(sending, reportPage(await shopOf(visit), { draft, refusal }), { status: isFields ? 400 : 429 })
  }
  return sendPage(sending, reportSentPage(await shopOf(visit)))
}
