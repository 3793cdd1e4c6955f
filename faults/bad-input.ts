import { endpoints } from '../contract/src/endpoints/index.ts'
import { checksumming } from '../server/test/checksum.ts'
import { furnish } from '../server/test/furnished.ts'
import { endpointsInOrder, lastOfAll, newTally, type People, someOf, trialsOf, tryAll } from '../server/test/hostile.ts'
import { askingFor } from '../server/test/line.ts'
import type { Case } from './tools/case.ts'
import { openHouse } from './tools/house.ts'

/** Requests to each endpoint in each of two passes; what is refused is sent a second time, to see that nothing changes. */
const eachWhole = 40
const eachShort = 4
const memoryMax = 20 * 2 ** 20
/** Their answer is what somebody else's server says, who has 15 seconds for it. */
const awaitsOthers = ['sendTestRequest']

/** What the contract does not allow, generated from it, to every endpoint of the running product. */
export const badInput: Case = {
  name: 'bad-input',
  forms: ['whole'],
  async run({ isShort, random }) {
    const house = await openHouse()
    try {
      const { line, seller, staff } = house
      const client = await house.database.connect()
      const look = await checksumming(async (text) => (await client.query(text)).rows, { hasJobs: true })
      const tally = newTally()
      let people: People = { seller, staff }
      let furnished = await furnish(line, people.seller, 'furnishedword0')
      const pid = house.product.child.pid
      // What the first pass fills stays: caches, statements, code. What grows with the second one is lost.
      const held: number[] = []
      for (const pass of isShort ? [2] : [1, 2]) {
        const asked = endpointsInOrder().filter(([name]) => pass === 2 || !lastOfAll.includes(name))
        for (const [index, one] of asked.entries()) {
          // What is asked for may be gone after the good requests before.
          if (!isShort && (one[1].method === 'DELETE' || index % 10 === 9)) {
            people = { staff, seller: { apiKey: seller.apiKey, cookie: await house.signIn(house.sellerAddress) } }
            furnished = await furnish(line, people.seller, `furnishedword${pass}${index}`)
          }
          const trials = trialsOf(line, one, people, furnished)
          await tryAll(line, someOf(trials, isShort ? eachShort : eachWhole, random), tally, look)
          if (index % 25 === 24)
            console.log(`  ${index + 1} endpoints, ${tally.cases} requests, ${tally.wrong.length} wrong`)
        }
        held.push(await house.grownAtRest())
      }
      await client.end()
      const isAlive = (await line.ask(askingFor(line.address, endpoints.checkHealth, {}, {}))).status === 200
      const [filled = 0, last = filled] = held
      const grown = last - filled
      const slow = tally.slow.filter((each) => !awaitsOthers.some((name) => each.includes(` ${name}: `)))
      const isGood =
        tally.wrong.length === 0 && tally.changes.length === 0 && isAlive && grown < memoryMax && slow.length === 0
      return [
        {
          fault: 'bad input, generated from the contract',
          times: tally.cases,
          acknowledged: tally.taken,
          longestWaitMs: tally.slowestMs,
          verdict: isGood && pid === house.product.child.pid ? 'holds' : 'FAILS',
          notes: [
            `${tally.cases} requests, ${tally.refused} refused, ${tally.wrong.length} wrong (5xx, no answer or another shape), ` +
              `${tally.changes.length} silent changes, ${slow.length} over 1 s, memory ${held.map(mebibytes).join(', then ')} more`,
            `slowest: ${tally.slowest}`,
            ...tally.wrong.slice(0, 20),
            ...tally.changes.slice(0, 20),
            ...tally.beside.map((each) => `changed by work of what was taken before: ${each}`),
            ...slow.slice(0, 20),
          ],
        },
      ]
    } finally {
      await house.close()
    }
  },
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`
}
