import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stories } from './stories/all.ts'
import { type Annex, openAnnex } from './tools/annex.ts'
import { annexFaults } from './tools/check-annex.ts'
import { mailFaults } from './tools/check-mails.ts'
import { scheduled, workers } from './tools/kinds.ts'
import { type Outside, openOutside } from './tools/outside.ts'
import type { Fault } from './tools/under-load.ts'
import type { World } from './tools/world.ts'

/** When all stories are told and there was no death for so long, there will be none. */
const quietMs = 15_000
const longestMs = 420_000
/** Sooner a failed try is not made again, or all of them would be over in a second. */
const againSeconds = 2
const kinds = [...new Set(workers.map(({ name }) => name))]
const points = kinds.flatMap((name) => [`${name}.before`, `${name}.amid`, `${name}.after`])
let outside: Outside
let annex: Annex
let marks: string
let spared: string[] = []
let lives = 0

/** A worker that dies inside each kind of job: before its work, amid it and after it. */
export const jobsDying: Fault = {
  name: 'jobs-dying',
  title: 'worker dies inside each job',
  times: { whole: 1 },
  world: async () => {
    outside = await openOutside()
    return { program: 'server/src/main.ts', env: outside.env, prepare: async () => close }
  },
  promises: {},
  async strike(world) {
    const [server] = world.servers
    if (!server) throw new Error('there is no server')
    marks = await mkdtemp(join(tmpdir(), 'keystall-deaths-'))
    annex = await openAnnex(world, { outside, hasDied: (point) => existsSync(join(marks, point)) })
    // The demo store is made by the server that first has it on, and its job with it.
    const env = { DYING_MARKS: marks, DEMO: 'on' }
    const dying = { nodeWords: ['--import', './faults/tools/dying-jobs.ts'], env }
    await server.kill('SIGTERM')
    server.start(dying)
    let areTold = false
    const told = tellAll().finally(() => (areTold = true))
    const end = performance.now() + longestMs
    let quietUntil = performance.now() + quietMs
    const mayComeMore = () => !areTold || (left().length > 0 && performance.now() < quietUntil)
    while (mayComeMore() && performance.now() < end) {
      await sleep(200)
      await makeDue(world)
      // Starting takes its time too.
      if (!world.health.isGreen()) quietUntil = performance.now() + quietMs
      if (!server.hasDied()) continue
      lives += 1
      await makeDueAgain(world)
      await server.kill('SIGKILL')
      server.start(dying)
    }
    spared = left()
    await server.kill('SIGTERM')
    server.start()
    await told
    await rm(marks, { recursive: true })
    return performance.now()
  },
  async check(client) {
    const { rows } = await client.query<{ queue: string; last_error: string }>(
      'select queue, last_error from jobs where failed_at is not null',
    )
    const failed = rows.map(({ queue, last_error }) => [`job ${queue} that failed: ${last_error}`, 1])
    return {
      ...(await annexFaults(client, annex)),
      ...(await mailFaults(client, outside.smtp)),
      ...Object.fromEntries(failed),
      'deaths that nobody died': spared.length,
    }
  },
  note: () => [
    `${points.length - spared.length} deaths in ${lives} lives, in ${kinds.length} kinds of jobs`,
    ...(spared.length > 0 ? [`not died: ${spared.join(', ')}`] : []),
  ],
}

async function close(): Promise<void> {
  await annex?.close()
  await outside.close()
}

const left = () => points.filter((point) => !annex.hasDied(point))

async function tellAll(): Promise<void> {
  await Promise.all(
    stories.map((story) => story(annex).catch((error: unknown) => annex.ledger.find(`${story.name} ended: ${error}`))),
  )
}

/** What comes again and again, and what was due before and failed: neither can come too early. */
async function makeDue({ database }: World): Promise<void> {
  const client = await database.connect().catch(() => undefined)
  await client?.query(
    `update jobs set run_at = now() + case when tries > 0 then $2 else 0 end * interval '1 second'
     where lease is null and (tries > 0 and run_at > now() + $2 * interval '1 second'
       or tries = 0 and run_at > now() and queue = any($1))`,
    [scheduled, againSeconds],
  )
  await client?.end()
}

/** Once nobody lives: what the dead has on lease. */
async function makeDueAgain({ database }: World): Promise<void> {
  const client = await database.connect().catch(() => undefined)
  await client?.query('update jobs set run_at = now() where run_at > now() and lease is not null')
  await client?.end()
}
