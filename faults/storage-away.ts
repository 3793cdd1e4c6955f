import { setTimeout as sleep } from 'node:timers/promises'
import { type S3, startS3 } from '../server/test/s3.ts'
import type { Fault } from './tools/under-load.ts'

const awayMs = 10_000
const modes = ['gone', 'failing', 'silent'] as const
let s3: S3

/** The object storage is gone, failing or silent: files wait, everything else goes on. */
export const storageAway: Fault = {
  name: 'storage-away',
  title: 'storage gone, failing or silent, 10 s each',
  times: { whole: modes.length },
  world: async () => {
    s3 = await startS3()
    return { env: { STORAGE_URL: s3.url }, blobs: async () => s3.blobs }
  },
  promises: { recoveryMs: 2_000 },
  felt: () => s3.unserved,
  async strike(_world, time) {
    s3.mode = modes[time] ?? 'gone'
    await sleep(awayMs)
    s3.mode = 'well'
    return performance.now()
  },
}
