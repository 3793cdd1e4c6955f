import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './tools/under-load.ts'

/** Longer than any lease: the other server takes the work, and the sleeper wakes up believing it still has it. */
const stoppedMs = 35_000

/** Two servers on one database: one is killed in turns, and once one of them sleeps through its leases. */
export const twoServers: Fault = {
  name: 'two-servers',
  title: 'two servers, one killed or stopped for 35 s',
  times: { whole: 7 },
  world: () => ({ servers: 2 }),
  promises: { recoveryMs: 2_000 },
  async strike({ servers }, time) {
    const server = servers[time % 2]
    if (!server) throw new Error('there is no server')
    const at = performance.now()
    if (time === 3) {
      server.signal('SIGSTOP')
      await sleep(stoppedMs)
      server.signal('SIGCONT')
      return performance.now()
    }
    await server.kill('SIGKILL')
    server.start()
    return at
  },
}
