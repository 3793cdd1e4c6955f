import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './tools/under-load.ts'

const shifts = ['2', '-2', '0.02', '-0.02']
const shiftedMs = 6_000

/** The server's clock is days wrong; the database's is right, and is the one that counts. */
export const clockShifted: Fault = {
  name: 'clock-shifted',
  title: 'clock set forward and back, up to 2 days',
  times: { whole: shifts.length * 2 },
  world: () => ({ nodeWords: ['--import', './faults/tools/shifted-clock.ts'] }),
  promises: {},
  async strike({ servers: [server] }, time) {
    const CLOCK_SHIFT_DAYS = shifts[time % shifts.length] ?? '0'
    if (time < shifts.length) {
      // While it runs, and back again.
      server?.tell({ CLOCK_SHIFT_DAYS })
      await sleep(shiftedMs)
      server?.tell({ CLOCK_SHIFT_DAYS: '0' })
      return performance.now()
    }
    await server?.kill('SIGTERM')
    server?.start({ env: { CLOCK_SHIFT_DAYS } })
    await server?.untilReady()
    await sleep(shiftedMs)
    await server?.kill('SIGTERM')
    server?.start()
    return performance.now()
  },
}
