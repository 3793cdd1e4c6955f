import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../contract/src/client.ts'
import { endpoints } from '../contract/src/endpoints/index.ts'
import { getProduct, viewProduct } from '../contract/src/endpoints/products.ts'
import { askingFor } from '../server/test/line.ts'
import { startNameServer } from '../server/test/name-server.ts'
import { countsIn, leftOut, type Tally, together } from '../server/test/tally.ts'
import { type BadOrder, sendBad } from './tools/bad-senders.ts'
import { type Calm, type Heard, startCalm } from './tools/calm.ts'
import type { Case } from './tools/case.ts'
import { type House, type Memory, openHouse } from './tools/house.ts'
import { openStall } from './tools/stall.ts'

/** Of what could be sent to an endpoint: each class is among the first, after which it is seen that nothing changed. */
const alone = { from: 0, to: 60 }
/** People change things. */
const amongPeople = { from: 60, to: 100 }
const distinctMin = 20_000
const calmMs = 15_000
const settledMs = 2_000
const memoryMax = 20 * 2 ** 20
/** Their answer is what somebody else's server says, who has 15 seconds for it. */
const awaitsOthers = ['sendTestRequest']

/** What the contract does not allow, generated from it, to every endpoint of the running product. */
export const badInput: Case = {
  name: 'bad-input',
  forms: ['whole'],
  async run({ random }) {
    // Not those of this machine: one that is silent there would be waited for here.
    const names = await startNameServer()
    await using ending = new AsyncDisposableStack()
    ending.defer(() => names.close())
    const house = await openHouse({ DNS_SERVERS: names.address })
    ending.defer(() => house.close())
    const { line, seller, staff, product } = house
    const stranger = await house.aSeller('stranger')
    const seed = Math.floor(random() * 2 ** 31)
    const order = { address: line.address, seller, staff, stranger, seed, toWhich: 'all others' } as const
    const closely = { ...order, share: alone, databaseUrl: house.database.url() }
    const first = await sendBad(closely)
    // What the first pass fills stays: caches, statements, code. What grows with the second one is lost.
    const filled = await house.grownAtRest()
    const among = await sendAmongPeople(house, { ...order, share: amongPeople }, random)
    const held = await house.grownAtRest()
    const last = await sendBad({ ...closely, toWhich: 'last of all' })
    const tally = together([first, among.tally, last])
    const isAlive = (await line.ask(askingFor(line.address, endpoints.checkHealth, {}, {}))).status === 200
    const wrong = wrongIn(tally, among, [filled, held])
    if (!isAlive || product.child.exitCode !== null) wrong.push(`the process ended: ${product.printed().slice(-500)}`)
    return [
      {
        fault: 'bad input, generated from the contract',
        times: tally.cases,
        acknowledged: tally.taken,
        longestWaitMs: tally.slowestMs,
        verdict: wrong.length === 0 ? 'holds' : 'FAILS',
        notes: [...figuresOf(tally, among, [filled, held]), ...wrong],
      },
    ]
  },
}

interface Among {
  tally: Tally
  /** Of others, before and meanwhile. */
  calm: Heard
  meanwhile: Heard
}

/** Others buy in a store of their own: what is sent is not about it. */
async function sendAmongPeople({ line, aSeller }: House, order: BadOrder, random: () => number): Promise<Among> {
  const { address } = line
  const { apiKey } = await aSeller('neighbour')
  const headers = { authorization: `Bearer ${apiKey}` }
  const stall = await openStall(createClient({ baseUrl: `http://${address.api}`, headers }))
  const askings = [
    askingFor(address, viewProduct, { path: stall.place }, {}),
    askingFor(address, getProduct, { path: stall.place }, { apiKey }),
  ]
  const people = await startCalm({ address, askings, seed: random() * 2 ** 32 }, stall)
  try {
    const { heard: calm } = await heardWhile(people, () => sleep(calmMs))
    const { heard: meanwhile, result: tally } = await heardWhile(people, () => sendBad(order))
    return { tally, calm, meanwhile }
  } finally {
    people.stop()
  }
}

async function heardWhile<Result>(
  people: Calm,
  work: () => Promise<Result>,
): Promise<{ heard: Heard; result: Result }> {
  await sleep(settledMs)
  await people.heard()
  const result = await work()
  return { heard: await people.heard(), result }
}

function wrongIn(tally: Tally, { calm, meanwhile }: Among, [filled, held]: readonly [Memory, Memory]): string[] {
  const failures = [...calm.failures, ...meanwhile.failures]
  const missing = leftOut(tally)
  return [
    ...[...tally.wrong, ...tally.changes].slice(0, 40),
    ...slowOnes(tally).slice(0, 20),
    ...failures.slice(0, 5).map((failure) => `somebody else was not served: ${failure}`),
    ...missing.slice(0, 20).map((each) => `never sent to ${each}`),
    ...(tally.distinct.size < distinctMin ? [`fewer than ${distinctMin} different ones`] : []),
    ...(meanwhile.p99 > 3 * calm.p99 ? ['others waited'] : []),
    ...(held.heldBytes - filled.heldBytes > memoryMax ? ['memory stayed'] : []),
  ]
}

function slowOnes({ slow }: Tally): string[] {
  return slow.filter((each) => !awaitsOthers.some((name) => each.includes(` ${name}: `)))
}

function figuresOf(tally: Tally, { calm, meanwhile }: Among, held: readonly [Memory, Memory]): string[] {
  const { cases, distinct, refused, wrong, changes, beside, slowest } = tally
  const inUse = held.map(({ heldBytes }) => mebibytes(heldBytes)).join(', then ')
  const resident = held.map(({ residentBytes }) => mebibytes(residentBytes)).join(', then ')
  return [
    `${cases} requests, ${distinct.size} different ones, ${refused} refused, ${wrong.length} wrong (5xx, no answer or another shape), ` +
      `${changes.length} silent changes, ${slowOnes(tally).length} over 1 s; slowest: ${slowest}`,
    `p99 of others ${calm.p99.toFixed(0)} ms calm, ${meanwhile.p99.toFixed(0)} ms meanwhile; the machine stood still for ${stoodMs(calm)} and ${stoodMs(meanwhile)}`,
    `memory ${inUse} more; resident ${resident} more`,
    `of each class: ${countsIn(tally)
      .map(([sort, count]) => `${sort} ${count}`)
      .join(', ')}`,
    ...beside.map((each) => `changed by work of what was taken before: ${each}`),
  ]
}

function stoodMs({ stoodStill }: Heard): string {
  return stoodStill === undefined ? 'nobody knows how long' : `${stoodStill.toFixed(0)} ms`
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`
}
