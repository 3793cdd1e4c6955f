import { endpoints } from '../contract/src/endpoints/index.ts'
import { checksumming } from '../server/test/checksum.ts'
import { furnish } from '../server/test/furnished.ts'
import { endpointsInOrder, newTally, type People, someOf, trialsOf, tryAll } from '../server/test/hostile.ts'
import { askingFor } from '../server/test/line.ts'
import type { Case } from './tools/case.ts'
import { openHouse } from './tools/house.ts'

/** Requests to each endpoint; what is refused is sent a second time, to see that nothing changes. */
const eachWhole = 80
const eachShort = 4
const memoryMax = 20 * 2 ** 20

/** What the contract does not allow, generated from it, to every endpoint of the running product. */
export const badInput: Case = {
  name: 'bad-input',
  forms: ['whole'],
  async run({ isShort, random }) {
    const house = await openHouse()
    try {
      const { line, seller, staff } = house
      const client = await house.database.connect()
      const look = await checksumming(async (text) => (await client.query(text)).rows)
      const tally = newTally()
      let people: People = { seller, staff }
      let furnished = await furnish(line, people.seller, 'furnishedword0')
      const pid = house.product.child.pid
      for (const [index, one] of endpointsInOrder().entries()) {
        // What is asked for may be gone after the good requests before.
        if (!isShort && (one[1].method === 'DELETE' || index % 10 === 9)) {
          people = { staff, seller: { apiKey: seller.apiKey, cookie: await house.signIn(house.sellerAddress) } }
          furnished = await furnish(line, people.seller, `furnishedword${index}`)
        }
        await tryAll(
          line,
          someOf(trialsOf(line, one, people, furnished), isShort ? eachShort : eachWhole, random),
          tally,
          look,
        )
        if (index % 25 === 24)
          console.log(`  ${index + 1} endpoints, ${tally.cases} requests, ${tally.wrong.length} wrong`)
      }
      await client.end()
      const isAlive = (await line.ask(askingFor(line.address, endpoints.checkHealth, {}, {}))).status === 200
      const grown = await house.grownAtRest()
      const isGood =
        tally.wrong.length === 0 && tally.changes.length === 0 && isAlive && grown < memoryMax && tally.slow === 0
      return [
        {
          fault: 'bad input, generated from the contract',
          times: tally.cases,
          acknowledged: tally.taken,
          longestWaitMs: tally.slowestMs,
          verdict: isGood && pid === house.product.child.pid ? 'holds' : 'FAILS',
          notes: [
            `${tally.cases} requests, ${tally.refused} refused, ${tally.wrong.length} wrong (5xx, no answer or another shape), ` +
              `${tally.changes.length} silent changes, ${tally.slow} over 1 s, memory ${(grown / 2 ** 20).toFixed(0)} MiB more`,
            `slowest: ${tally.slowest}`,
            ...tally.wrong.slice(0, 20),
            ...tally.changes.slice(0, 5).map((change) => change.slice(0, 2000)),
          ],
        },
      ]
    } finally {
      await house.close()
    }
  },
}
