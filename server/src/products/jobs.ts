import { transact } from '#platform/db/transaction'
import { every, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { removeBlobs, removeBlobsJob, removeForgottenBlobs, removeForgottenBlobsJob } from './blobs.ts'
import { removeAbandonedDrafts } from './drafts.ts'
import { expireFileUpload, expireFileUploadJob } from './file-upload.ts'
import { clearedItemsDays, purgeClearedItemsJob } from './item-jobs.ts'
import { deleteCleared } from './item-queries.ts'
import { forgetLikeNetworks, forgetLikeNetworksJob } from './like.ts'

const purgedAtOnce = 5_000
const sweepSeconds = 15

export const productPerformers: Performer[] = [
  perform(purgeClearedItemsJob, async (db, product) => {
    let purged: number
    do purged = await deleteCleared(db, product, { keptDays: clearedItemsDays, limit: purgedAtOnce })
    while (purged === purgedAtOnce)
  }),

  perform(forgetLikeNetworksJob, (db) => forgetLikeNetworks(db)),

  perform(removeBlobsJob, (_db, { storageKeys }, { platform }) => removeBlobs(platform, storageKeys)),

  perform(expireFileUploadJob, (db, upload) => transact(db, (tx) => expireFileUpload(tx, upload))),

  perform(removeForgottenBlobsJob, async (_db, _data, { platform }) => {
    await removeForgottenBlobs(platform)
    await removeAbandonedDrafts(platform.config.dataDir)
    await platform.storage.removeLeftOvers()
  }),
]

export const productSchedules: Schedule[] = [
  every(sweepSeconds, removeForgottenBlobsJob, {}),
  every(3600, forgetLikeNetworksJob, {}),
]
