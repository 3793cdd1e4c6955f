import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './tools/under-load.ts'

const places = ['timer', 'rejection', 'listener']
const endsWithinMs = 5_000

/** After an error that nobody foresaw nobody knows what else is wrong: the process ends, and is started again. */
export const serverThrows: Fault = {
  name: 'server-throws',
  title: 'error that nobody catches, in the server',
  times: { whole: places.length * 3 },
  world: () => ({ nodeWords: ['--import', './faults/tools/throwing.ts'] }),
  promises: { recoveryMs: 2_000 },
  async strike({ servers: [server] }, time) {
    const at = performance.now()
    server?.tell({ FAIL: places[time % places.length] })
    while (!server?.hasDied()) {
      if (performance.now() > at + endsWithinMs) throw new Error('the server went on as if nothing had happened')
      await sleep(5)
    }
    await server.kill('SIGKILL')
    server.start()
    return at
  },
}
