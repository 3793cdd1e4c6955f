import * as contract from '@keystall/contract/endpoints/analytics'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { selectAnalytics } from '#views/analytics'
import { selectAnalyticsDays } from '#views/analytics-days'
import { selectNow } from '#views/analytics-figures'
import { selectAttention } from '#views/attention'
import { inTurn } from './turns.ts'
import { daysIn, windowOf } from './window.ts'

export const analyticsRoutes: Implementation[] = [
  implement(contract.getAnalytics, async ({ db, platform, store, rights, path }) => {
    const window = windowOf(daysIn(path.timeStr), await selectNow(db))
    return ok(await inTurn(() => selectAnalytics(db, platform, { store, rights }, window)))
  }),

  implement(contract.getAnalyticsDays, async ({ db, store, path }) => {
    const window = windowOf(daysIn(path.timeStr), await selectNow(db))
    return ok(await inTurn(() => selectAnalyticsDays(db, store, window)))
  }),

  implement(contract.getAttention, async ({ db, store, rights }) => ok(await selectAttention(db, store, rights))),
]
