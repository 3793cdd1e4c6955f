import type { Fault } from './tools/under-load.ts'

/** `kill -9` of PostgreSQL with all its processes. The server stays, and its launcher starts the database again. */
export const databaseKilled: Fault = {
  name: 'database-killed',
  title: 'kill -9 of the database',
  times: { whole: 10, short: 2 },
  promises: { recoveryMs: 5_000, waitMs: 5_000 },
  isAway: () => true,
  async strike({ database }) {
    database.signal('SIGKILL')
    return performance.now()
  },
}
