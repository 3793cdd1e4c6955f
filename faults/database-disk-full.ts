import { setTimeout as sleep } from 'node:timers/promises'
import { fillDisk, freeDisk, mountSmallDisk, whyNoMounts } from './tools/small-disk.ts'
import type { Fault } from './tools/under-load.ts'

const megabytes = 700
const fullMs = 15_000

/** No room at all on the data disk: writes are refused or the database is down; with room it comes back by itself. */
export const databaseDiskFull: Fault = {
  name: 'database-disk-full',
  title: 'full disk for the database, 15 s',
  times: { whole: 2 },
  world: () => ({ prepare: (dataDir) => mountSmallDisk(dataDir, megabytes) }),
  isImpossible: whyNoMounts,
  promises: { recoveryMs: 5_000, waitMs: 5_000 },
  async strike({ dataDir }) {
    const until = performance.now() + fullMs
    while (performance.now() < until) {
      await fillDisk(dataDir)
      await sleep(100)
    }
    await freeDisk(dataDir)
    return performance.now()
  },
}
