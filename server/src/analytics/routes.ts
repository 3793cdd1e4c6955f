import * as contract from '@keystall/contract/endpoints/analytics'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { selectAnalytics } from '#views/analytics'
import { selectNow } from '#views/analytics-figures'
import { daysIn, windowOf } from './window.ts'

export const analyticsRoutes: Implementation[] = [
  implement(contract.getAnalytics, async ({ db, platform, store, rights, path }) => {
    const window = windowOf(daysIn(path.timeStr), await selectNow(db))
    return ok(await selectAnalytics(db, platform, { store, rights }, window))
  }),
]
