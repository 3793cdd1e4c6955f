import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { every, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { removeBlobs, removeBlobsJob, removeForgottenBlobs, removeForgottenBlobsJob } from './blobs.ts'
import { uploadsFolder } from './images.ts'
import { clearedItemsDays, purgeClearedItemsJob } from './item-jobs.ts'
import { deleteCleared } from './item-queries.ts'

const purgedAtOnce = 5_000
const sweepSeconds = 15
/** A living upload writes more often than this. */
const abandonedMs = 40_000

export const productPerformers: Performer[] = [
  perform(purgeClearedItemsJob, async (db, product) => {
    let purged: number
    do purged = await deleteCleared(db, product, { keptDays: clearedItemsDays, limit: purgedAtOnce })
    while (purged === purgedAtOnce)
  }),

  perform(removeBlobsJob, (_db, { storageKeys }, { platform }) => removeBlobs(platform, storageKeys)),

  perform(removeForgottenBlobsJob, async (_db, _data, { platform }) => {
    await removeForgottenBlobs(platform)
    await removeAbandonedDrafts(join(platform.config.dataDir, uploadsFolder))
  }),
]

export const productSchedules: Schedule[] = [every(sweepSeconds, removeForgottenBlobsJob, {})]

/** What a process that died in the middle of an upload left on the disk. */
async function removeAbandonedDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const facts = await stat(path).catch(() => undefined)
    if (facts && Date.now() - facts.mtimeMs > abandonedMs) await rm(path, { force: true })
  }
}
