import { setTimeout as sleep } from 'node:timers/promises'
import { whyNoNamespaces } from './tools/namespace.ts'
import type { Fault } from './tools/under-load.ts'

const cutMs = [1_000, 5_000, 30_000]
/** Sooner nobody has waited long enough to be told. */
const awayMs = 5_000

/** The cable between the server and the database is out: packets vanish, and the kernel alone decides who hears of it. */
export const networkCut: Fault = {
  name: 'network-cut',
  title: 'cable to the database out, 1 to 30 s',
  times: { whole: cutMs.length },
  world: () => ({ network: 'namespace' }),
  isImpossible: whyNoNamespaces,
  promises: { recoveryMs: 5_000, waitMs: 5_000 },
  isAway: (time) => (cutMs[time] ?? 0) >= awayMs,
  async strike({ network }, time) {
    network?.cut('lost')
    await sleep(cutMs[time] ?? 1_000)
    network?.mend()
    return performance.now()
  },
}
