import { Client } from 'pg'
import { checksumming, type Look } from '../../server/test/checksum.ts'
import { dice } from '../../server/test/dice.ts'
import { furnishElsewhere } from '../../server/test/elsewhere.ts'
import { furnish } from '../../server/test/furnished.ts'
import {
  endpointsInOrder,
  inOrder,
  inRounds,
  lastOfAll,
  type People,
  refusedOf,
  trialsOf,
  tryAll,
} from '../../server/test/hostile.ts'
import { Line } from '../../server/test/line.ts'
import { newTally, type Tally } from '../../server/test/tally.ts'
import type { BadOrder } from './bad-senders.ts'
import { signInAt } from './house.ts'

// Sends to every endpoint its share of what the contract does not allow.

process.once('message', (order: BadOrder) => {
  void send(order).then((tally) => process.send?.(tally))
})

async function send({ address, seller, staff, stranger, toWhich, share, seed, databaseUrl }: BadOrder): Promise<Tally> {
  const line = new Line(address)
  const look = databaseUrl === undefined ? undefined : await lookAt(databaseUrl)
  const tally = newTally()
  const word = `furnishedword${share.from}${toWhich.slice(0, 1)}`
  let people: People = { seller, staff }
  let furnished = await furnish(line, seller, word)
  const elsewhere = await furnishElsewhere(line, { seller, stranger }, word)
  const isLast = toWhich === 'last of all'
  const asked = endpointsInOrder().filter(([name]) => lastOfAll.includes(name) === isLast)
  for (const [index, one] of asked.entries()) {
    // What is asked for may be gone after the good requests before.
    if (isLast || one[1].method === 'DELETE' || index % 10 === 9) {
      people = { staff, seller: { apiKey: seller.apiKey, cookie: await signInAt(line, seller.emailAddress) } }
      furnished = await furnish(line, people.seller, `${word}${index}`)
    }
    const all = inRounds(trialsOf(line, one, people, { furnished, elsewhere }), dice(seed + index))
    const trials = inOrder(all.slice(share.from, share.to))
    if (look) await tryAll(line, trials, tally, look)
    else await refusedOf(line, trials, tally, 1)
    if (index % 25 === 24) console.log(`  ${index + 1} endpoints, ${tally.cases} requests, ${tally.wrong.length} wrong`)
  }
  return tally
}

async function lookAt(connectionString: string): Promise<Look> {
  const client = new Client({ connectionString })
  await client.connect()
  return checksumming(async (text) => (await client.query(text)).rows, { hasJobs: true })
}
