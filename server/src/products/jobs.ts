import { type Performer, perform } from '#platform/jobs/job'
import { clearedItemsDays, purgeClearedItemsJob } from './item-jobs.ts'
import { deleteCleared } from './item-queries.ts'

const purgedAtOnce = 5_000

export const productPerformers: Performer[] = [
  perform(purgeClearedItemsJob, async (db, product) => {
    let purged: number
    do purged = await deleteCleared(db, product, { keptDays: clearedItemsDays, limit: purgedAtOnce })
    while (purged === purgedAtOnce)
  }),
]
