import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './tools/under-load.ts'

/** What the server asks arrives, COMMIT included; the answers do not. The client's second try must not do it again. */
export const answersCut: Fault = {
  name: 'answers-cut',
  title: 'answers of the database lost, 2 s',
  times: { whole: 10, short: 2 },
  world: () => ({ network: 'proxy' }),
  promises: { recoveryMs: 2_000, waitMs: 5_000 },
  async strike({ network, random }) {
    network?.cut('answers-lost')
    await sleep(500 + random() * 1_500)
    network?.mend()
    return performance.now()
  },
}
