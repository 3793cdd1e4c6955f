import { setTimeout as sleep } from 'node:timers/promises'
import { checkOut, payOrderAsTest, viewOrder } from '../../contract/src/endpoints/checkout.ts'
import { dice } from '../../server/test/dice.ts'
import { type Asking, askingFor, Line } from '../../server/test/line.ts'
import type { Heard, Walk } from './calm.ts'

// A few people who look, work and buy, one thing after the other with a pause between; tells how long each thing took.
// No two pauses are the same: whoever waited together would go on together, and wait for each other every time.

const people = 16
const everyMs = 100
let random = () => 0
let taken: number[] = []
let failures: string[] = []

process.on('message', (message: Walk | 'heard') => {
  if (message === 'heard') {
    process.send?.(tell())
    return
  }
  random = dice(message.seed)
  for (let person = 0; person < people; person += 1) void walk(message, person)
})

async function walk({ address, askings, place: { storeId, productId } }: Walk, person: number): Promise<never> {
  // Each from home.
  const line = new Line(address, { from: `127.0.1.${person + 1}` })
  for (let round = 0; ; round += 1) {
    for (const asking of askings) await ask(line, asking)
    const items = [{ productId, quantity: 1 }]
    const form = { items, gateway: 'test', emailAddress: `calm${person}x${round}@example.com` }
    const placed = await ask(line, askingFor(address, checkOut, { path: { storeId }, body: JSON.stringify(form) }, {}))
    if (placed === undefined) continue
    process.send?.('sold')
    const { id: orderId, key: orderKey } = Object(placed).data[0].order
    const body = JSON.stringify({ outcome: 'paid' })
    await ask(line, askingFor(address, payOrderAsTest, { path: { orderId }, body }, { orderKey }))
    const read = await ask(line, askingFor(address, viewOrder, { path: { orderId } }, { orderKey }))
    if (read !== undefined && Object(read).data.status !== 'Delivered') failures.push('an order was not delivered')
  }
}

/** Undefined, and noted, when it failed. */
async function ask(line: Line, asking: Asking): Promise<unknown> {
  const startedAt = performance.now()
  const heard = await line.ask(asking).catch((error: unknown) => String(error))
  taken.push(performance.now() - startedAt)
  await sleep(everyMs * (0.5 + random()))
  if (typeof heard !== 'string' && heard.status === 200) return JSON.parse(heard.text)
  failures.push(typeof heard === 'string' ? heard : `${heard.status} to ${asking.method} ${asking.url}`)
  return undefined
}

function tell(): Heard {
  const sorted = taken.toSorted((one, other) => one - other)
  const p99 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0
  const heard = { p99, failures }
  taken = []
  failures = []
  return heard
}
