import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillDisk, freeDisk, mountSmallDisk, whyNoMounts } from './tools/small-disk.ts'
import type { Fault } from './tools/under-load.ts'

/** No room at all on the data disk: writes are refused or the database is down; with room it comes back by itself. */
export const databaseDiskFull = diskFull({
  of: 'database',
  folder: '.',
  megabytes: 700,
  fullSeconds: 15,
  recoveryMs: 5_000,
})

/** No room for uploads: they are refused, what was there before stays whole, and everything else goes on. */
export const uploadsDiskFull = diskFull({
  of: 'uploads',
  folder: 'uploads',
  megabytes: 40,
  fullSeconds: 8,
  recoveryMs: 2_000,
})

interface SmallDisk {
  of: string
  /** Under the data folder. */
  folder: string
  megabytes: number
  fullSeconds: number
  recoveryMs: number
}

function diskFull({ of, folder, megabytes, fullSeconds, recoveryMs }: SmallDisk): Fault {
  return {
    name: `${of}-disk-full`,
    title: `full disk for ${of === 'database' ? 'the database' : of}, ${fullSeconds} s`,
    times: { whole: 2 },
    world: () => ({ prepare: (dataDir) => mountSmallDisk(join(dataDir, folder), megabytes) }),
    isImpossible: whyNoMounts,
    promises: { recoveryMs, waitMs: 5_000 },
    felt: ({ requests }) => requests.refused,
    async strike({ dataDir }) {
      const disk = join(dataDir, folder)
      const until = performance.now() + fullSeconds * 1000
      // Again and again: what is replaced gives its room back.
      while (performance.now() < until) {
        await fillDisk(disk)
        await sleep(100)
      }
      await freeDisk(disk)
      return performance.now()
    },
  }
}
