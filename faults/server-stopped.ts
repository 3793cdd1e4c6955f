import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './tools/under-load.ts'

const stoppedMs = 20_000

/** The server hangs, as in a machine that swaps or is moved: what it holds must not be taken for dead work twice. */
export const serverStopped: Fault = {
  name: 'server-stopped',
  title: 'SIGSTOP of the server, 20 s',
  times: { whole: 1 },
  promises: { recoveryMs: 2_000 },
  async strike({ servers: [server] }) {
    if (!server) throw new Error('there is no server')
    server.signal('SIGSTOP')
    await sleep(stoppedMs)
    server.signal('SIGCONT')
    return performance.now()
  },
}
