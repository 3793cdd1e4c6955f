import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { performers, watches } from '../server/src/app.ts'
import type { Fault } from './tools/under-load.ts'
import type { World } from './tools/world.ts'

/** No further death for so long, and there will be none. */
const quietMs = 12_000
const longestMs = 600_000
let died: string[] = []

/** A worker that dies inside each kind of job, before and after its work. */
export const jobsDying: Fault = {
  name: 'jobs-dying',
  title: 'worker dies inside each job',
  times: { whole: 1 },
  world: () => ({ program: 'server/src/main.ts' }),
  promises: {},
  async strike(world) {
    const [server] = world.servers
    if (!server) throw new Error('there is no server')
    const marks = await mkdtemp(join(tmpdir(), 'keystall-deaths-'))
    const dying = { nodeWords: ['--import', './faults/tools/dying-jobs.ts'], env: { DYING_MARKS: marks } }
    await server.kill('SIGTERM')
    server.start(dying)
    const end = performance.now() + longestMs
    for (let quietUntil = performance.now() + quietMs; performance.now() < Math.min(quietUntil, end); ) {
      await sleep(100)
      await makeDue(world, 'lease is null')
      // Starting takes its time too.
      if (!world.health.isGreen()) quietUntil = performance.now() + quietMs
      if (!server.hasDied()) continue
      await makeDue(world, 'true')
      await server.kill('SIGKILL')
      server.start(dying)
    }
    died = await readdir(marks)
    await server.kill('SIGTERM')
    server.start()
    await rm(marks, { recursive: true })
    return performance.now()
  },
  note() {
    const jobs = [...new Set([...performers.map(({ job }) => job.name), ...watches.map(({ name }) => name)])]
    const spared = jobs.filter((name) => !died.includes(`${name}.after`))
    return [
      `${died.length} deaths in ${jobs.length - spared.length} of ${jobs.length} kinds of jobs`,
      `not reached by this load: ${spared.join(', ') || 'none'}`,
    ]
  },
}

/** What is scheduled for later, and, once nobody lives, what the dead has on lease. */
async function makeDue({ database }: World, which: 'lease is null' | 'true'): Promise<void> {
  const client = await database.connect().catch(() => undefined)
  await client?.query(`update jobs set run_at = now() where run_at > now() and queue <> 'expire-order' and ${which}`)
  await client?.end()
}
