import { setTimeout as sleep } from 'node:timers/promises'
import { checkOut, payOrderAsTest, viewOrder } from '../../contract/src/endpoints/checkout.ts'
import { dice } from '../../server/test/dice.ts'
import { type Asking, askingFor, Line } from '../../server/test/line.ts'
import { pauseMs, type Walk, type Walked } from './calm.ts'
import { clock } from './clock.ts'
import type { Span } from './span.ts'

// A few people who look, work and buy, one thing after the other with a pause between; tells how long each thing took.
// No two pauses are the same: whoever waited together would go on together, and wait for each other every time.

const people = 16
let random = () => 0
let answered: Span[] = []
const askedAt = new Set<{ from: number }>()
let failures: string[] = []

process.on('message', (message: Walk | 'tell') => {
  if (message === 'tell') {
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
  const asked = { from: clock() }
  askedAt.add(asked)
  const heard = await line.ask(asking).catch((error: unknown) => String(error))
  askedAt.delete(asked)
  answered.push({ ...asked, to: clock() })
  await sleep(pauseMs * (0.5 + random()))
  if (typeof heard !== 'string' && heard.status === 200) return JSON.parse(heard.text)
  failures.push(typeof heard === 'string' ? heard : `${heard.status} to ${asking.method} ${asking.url}`)
  return undefined
}

function tell(): Walked {
  const now = clock()
  const walked = { asked: [...answered, ...[...askedAt].map(({ from }) => ({ from, to: now }))], failures }
  answered = []
  failures = []
  return walked
}
