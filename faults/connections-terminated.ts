import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './tools/under-load.ts'

const aSecond = 10

/** `pg_terminate_backend` of every connection but the one that does it, ten times a second for two seconds. */
export const connectionsTerminated: Fault = {
  name: 'connections-terminated',
  title: 'all connections terminated, 10 a second for 2 s',
  times: { whole: 5, short: 1 },
  promises: { recoveryMs: 2_000, waitMs: 5_000 },
  async strike({ database }) {
    const client = await database.connect()
    for (let count = 0; count < 2 * aSecond; count += 1) {
      await client.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend'
      `)
      await sleep(1000 / aSecond)
    }
    await client.end()
    return performance.now()
  },
}
