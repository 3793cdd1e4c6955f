import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillDisk, freeDisk, mountSmallDisk, whyNoMounts } from './tools/small-disk.ts'
import type { Fault } from './tools/under-load.ts'
import type { World } from './tools/world.ts'

/** No room at all on the data disk: writes are refused or the database is down; with room it comes back by itself. */
export const databaseDiskFull = diskFull({
  of: 'database',
  folder: '.',
  megabytes: 700,
  fullSeconds: 15,
  recoveryMs: 5_000,
})

/** No room for the next piece of the WAL either: nothing can be acknowledged, PostgreSQL stops and waits for room. */
export const walDiskFull = diskFull({
  of: 'WAL',
  folder: '.',
  megabytes: 700,
  fullSeconds: 15,
  recoveryMs: 5_000,
  useUp: endWal,
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
  /** Uses what was put by while there was room; the database is down then. */
  useUp?(world: World): Promise<void>
}

/** PostgreSQL keeps pieces of the WAL for later. */
async function endWal({ database }: World): Promise<void> {
  const client = await database.connect().catch(() => undefined)
  await client?.query('select pg_switch_wal()').catch(() => {})
  await client?.end().catch(() => {})
}

function diskFull({ of, folder, megabytes, fullSeconds, recoveryMs, useUp }: SmallDisk): Fault {
  return {
    name: `${of.toLowerCase()}-disk-full`,
    title: `full disk for ${of === 'uploads' ? of : `the ${of}`}, ${fullSeconds} s`,
    times: { whole: 2 },
    world: () => ({ prepare: (dataDir) => mountSmallDisk(join(dataDir, folder), megabytes) }),
    isImpossible: whyNoMounts,
    promises: { recoveryMs, waitMs: 5_000 },
    isAway: () => useUp !== undefined,
    felt: ({ requests }) => requests.refused,
    async strike(world) {
      const disk = join(world.dataDir, folder)
      const until = performance.now() + fullSeconds * 1000
      // Again and again: what is replaced gives its room back.
      while (performance.now() < until) {
        await fillDisk(disk)
        await useUp?.(world)
        await sleep(100)
      }
      await freeDisk(disk)
      return performance.now()
    },
  }
}
