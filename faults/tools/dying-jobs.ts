import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performers, watches } from '../../server/src/app.ts'

// Loaded before the server: the process dies in each job, once before its work and once after it, when nobody has been
// told yet that it is done. The folder DYING_MARKS remembers which deaths have been died.

const folder = process.env['DYING_MARKS'] ?? ''
/** Between two deaths people are served and other jobs done; one under way in ten deaths would be given up. */
const livesMs = 2_000
let livesSince: number | undefined

for (const performer of performers) {
  Object.assign(performer, { handle: dying(performer.job.name, performer.handle) })
}
for (const watch of watches) Object.assign(watch, { handle: dying(watch.name, watch.handle) })

function dying<Given extends unknown[]>(name: string, work: (...given: Given) => Promise<unknown>) {
  return async (...given: Given): Promise<void> => {
    await dieOnce(`${name}.before`)
    await work(...given)
    await dieOnce(`${name}.after`)
  }
}

async function dieOnce(name: string): Promise<void> {
  livesSince ??= performance.now()
  if (performance.now() - livesSince < livesMs) return
  const mark = join(folder, name)
  if (existsSync(mark)) return
  writeFileSync(mark, '')
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}
