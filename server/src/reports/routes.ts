import * as contract from '@keystall/contract/endpoints/reports'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { networkOf } from '#platform/network'
import { notFound } from '#problem'
import { loadOpenStore } from '#views/open-store'
import { selectReportPage, selectStaffReport } from '#views/report'
import { findReport, reportStore, resolveReport } from './report.ts'

export const reportRoutes: Implementation[] = [
  implement(contract.reportStore, async ({ db, platform, visit, path, body }) => {
    platform.limits.takeAttempt(visit.ip)
    const store = await loadOpenStore(db, path.storeId)
    const network = platform.config.rateLimits === undefined ? null : networkOf(visit.ip)
    await transact(db, (tx) => reportStore(tx, store, body, network))
    return ok(null, 'Thank you: the staff will look at it')
  }),

  implement(contract.listReportsForStaff, async ({ db, query }) => paged(await selectReportPage(db, query))),

  implement(contract.resolveReport, async ({ db, caller, path, body }) => {
    const report = await findReport(db, path.reportId)
    if (!report) throw notFound('report')
    await transact(db, (tx) => resolveReport(tx, caller, report, body.note))
    return ok(await selectStaffReport(db, report), 'The report is closed')
  }),
]
