import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillDisk, freeDisk, mountSmallDisk, whyNoMounts } from './tools/small-disk.ts'
import type { Fault } from './tools/under-load.ts'

const megabytes = 40
const fullMs = 8_000

/** No room for uploads: they are refused, what was there before stays whole, and everything else goes on. */
export const uploadsDiskFull: Fault = {
  name: 'uploads-disk-full',
  title: 'full disk for uploads, 8 s',
  times: { whole: 2 },
  world: () => ({ prepare: (dataDir) => mountSmallDisk(join(dataDir, 'uploads'), megabytes) }),
  isImpossible: whyNoMounts,
  promises: { recoveryMs: 2_000, waitMs: 5_000 },
  async strike({ dataDir }) {
    const folder = join(dataDir, 'uploads')
    const until = performance.now() + fullMs
    // Again and again: what is replaced gives its room back.
    while (performance.now() < until) {
      await fillDisk(folder)
      await sleep(100)
    }
    await freeDisk(folder)
    return performance.now()
  },
}
