import { setTimeout as sleep } from 'node:timers/promises'
import type { Cut } from './tools/proxy.ts'
import type { Fault } from './tools/under-load.ts'

const cuts: { how: Cut; ms: number }[] = [
  { how: 'held', ms: 1_000 },
  { how: 'lost', ms: 5_000 },
  { how: 'held', ms: 10_000 },
  { how: 'lost', ms: 30_000 },
]

/** Sooner nobody has waited long enough to be told. */
const awayMs = 5_000

/** Nothing passes between the server and the database; connections stay open on both sides and say nothing. */
export const databaseCut: Fault = {
  name: 'database-cut',
  title: 'network to the database cut, 1 to 30 s',
  times: { whole: cuts.length, short: 1 },
  world: () => ({ network: 'proxy' }),
  promises: { recoveryMs: 2_000, waitMs: 5_000 },
  isAway: (time) => (cuts[time]?.ms ?? 0) >= awayMs,
  async strike({ network }, time) {
    const { how, ms } = cuts[time] ?? { how: 'lost', ms: 1_000 }
    network?.cut(how)
    await sleep(ms)
    network?.mend()
    return performance.now()
  },
}
