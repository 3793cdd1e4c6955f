import { setTimeout as sleep } from 'node:timers/promises'
import { listOrders } from '../contract/src/endpoints/orders.ts'
import { residentMegabytes } from './tools/memory.ts'
import { isPassing } from './tools/requests.ts'
import type { Fault } from './tools/under-load.ts'
import type { World } from './tools/world.ts'

const reads = 1_000
const withinMs = 2_000
const waitMsMax = 5_000
/** Less than the answers that a thousand waited for. */
const grownMegabytesMax = 100
let heldBefore: number[] = []
let heldNow = () => 0
let grown = 0
let lateReads = 0

/** Every answer of the database takes its time, and a thousand ask for more than it can tell: most of them are refused. */
export const databaseSlow: Fault = {
  name: 'database-slow',
  title: 'every answer of the database 200 ms late, 1,000 reads',
  times: { whole: 3 },
  world: () => ({ network: 'proxy', env: { RATE_LIMITS: 'off' } }),
  // What brings many items is given half a minute, and is not told to come again with all of them.
  promises: { recoveryMs: 2_000 },
  felt: ({ requests }) => requests.refused,
  async strike(world, time) {
    heldNow = () => residentMegabytes(world.servers[0]?.pid ?? 0)
    heldBefore = [...heldBefore.slice(0, time), heldNow()]
    world.network?.cut('late')
    await Promise.all(Array.from({ length: reads }, () => read(world)))
    world.network?.mend()
    return performance.now()
  },
  async check() {
    // The first time makes room for all that comes later.
    grown = Math.ceil(heldNow() - (heldBefore[1] ?? 0))
    return {
      'megabytes too many that stayed': Math.max(grown - grownMegabytesMax, 0),
      [`reads that waited for longer than ${waitMsMax} ms`]: lateReads,
    }
  },
  note: () => [`${grown} MB more at the end than after the first thousand`],
}

async function read({ requests, servers, apiKey, shop, random }: World): Promise<void> {
  await sleep(random() * withinMs)
  const seller = requests.client(() => servers[0]?.port ?? 0, { authorization: `Bearer ${apiKey}` })
  const began = performance.now()
  await seller(listOrders, { path: { storeId: shop.storeId, page: 1 } }).catch((error: unknown) => {
    if (!isPassing(error)) throw error
  })
  if (performance.now() - began > waitMsMax) lateReads += 1
}
