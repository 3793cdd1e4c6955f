import { type Mended, rebuildRollups } from '#analytics/rollups'
import { patientTimeouts } from '#platform/db/connection'
import { openDatabase } from '#platform/db/database'
import type { Running } from '#start'

/** Of one store, or of all. All zeros: the counters agree with the orders. */
export async function mendRollups({ databaseUrl }: Running, storeId?: string): Promise<Mended> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1, timeouts: patientTimeouts })
  try {
    return await rebuildRollups(database.db, storeId)
  } finally {
    await database.close()
  }
}
