import type { Server } from 'node:http'
import { sql } from 'kysely'
import { afterAll, assert, beforeAll, test } from 'vitest'
import { createListener } from '#platform/http/server'
import { checksumming } from './checksum.ts'
import { dice } from './dice.ts'
import { aKey, aUser } from './factories.ts'
import { type Furnished, furnish } from './furnished.ts'
import { useServer } from './harness.ts'
import { endpointsInOrder, type People, someOf, trialsOf, tryAll } from './hostile.ts'
import { Line } from './line.ts'
import { signedIn } from './people.ts'
import { newTally } from './tally.ts'

// A few of the many; `npm run faults -- bad-input` sends them all.

const seed = Number(process.env['SEED'] ?? 20)
const each = Number(process.env['EACH'] ?? 4)
const server = useServer({ hasJobs: false })
let listener: Server
let line: Line
let people: People
let furnished: Furnished

beforeAll(async () => {
  listener = createListener(server.app.handle)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { apiUrl, dashUrl } = server.platform.config
  line = new Line({ port: Object(listener.address()).port, api: apiUrl.host, dash: dashUrl.host })
  const user = await aUser(server)
  people = {
    seller: { apiKey: await aKey(server, user), cookie: await signedIn(server, user) },
    staff: { cookie: await signedIn(server, await aUser(server, { isStaff: true })) },
  }
  furnished = await furnish(line, people.seller, 'furnishedword')
})

afterAll(() => {
  line.close()
  listener.closeAllConnections()
  listener.close()
})

test(`what the contract does not allow is refused in words, and changes nothing (SEED=${seed})`, async () => {
  const random = dice(seed)
  const tally = newTally()
  const look = await checksumming(
    async (text) => (await sql.raw<Record<string, unknown>>(text).execute(server.platform.db)).rows,
    { hasJobs: false },
  )
  const all = endpointsInOrder()
  for (let first = 0; first < all.length; first += 40) {
    const some = all.slice(first, first + 40)
    const trials = some.flatMap((one) => someOf(trialsOf(line, one, people, { furnished }), each, random))
    await tryAll(line, trials, tally, look)
  }
  assert.deepEqual(tally.wrong, [])
  assert.deepEqual([...tally.changes, ...tally.beside], [])
  assert.isAbove(tally.refused, 500)
})
