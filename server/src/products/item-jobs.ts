import { Type } from 'typebox'
import { job } from '#platform/jobs/job'

/** For this long a clearing can be undone. */
export const clearedItemsDays = 30

export const purgeClearedItemsJob = job(
  'purge-cleared-items',
  Type.Object({ storeId: Type.String(), productId: Type.String() }),
)
