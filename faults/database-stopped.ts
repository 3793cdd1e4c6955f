import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './tools/under-load.ts'

const stoppedMs = 20_000

/** The database accepts connections and answers nothing. */
export const databaseStopped: Fault = {
  name: 'database-stopped',
  title: 'SIGSTOP of the database, 20 s',
  times: { whole: 1 },
  promises: { recoveryMs: 5_000, waitMs: 5_000 },
  isAway: () => true,
  async strike({ database }) {
    database.signal('SIGSTOP')
    await sleep(stoppedMs)
    database.signal('SIGCONT')
    return performance.now()
  },
}
