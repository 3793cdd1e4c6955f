import { Line } from '../../server/test/line.ts'
import { abuses } from '../abuses.ts'
import type { Abuse, Acted } from './abused.ts'
import type { Order } from './abusers.ts'

// Works against the server in one way, over and over, for as long as it is told.

const abuse = abuseOf(process.argv[2])
await abuse.prepare?.()
process.once('message', (order: Order) => {
  void actOn(order).then((acted) => process.send?.(acted))
})
process.send?.({ isReady: true })

function abuseOf(title: string | undefined): Abuse {
  const known = abuses.find((each) => each.title === title)
  if (!known) throw new Error(`nobody knows "${title}"`)
  return known
}

async function actOn({ address, furnished, seller, atLeastMs }: Order): Promise<Acted> {
  const abused = { line: new Line(address), port: address.port, furnished, seller, atLeastMs }
  const all: Acted = { times: 0, wrong: [] }
  const startedAt = performance.now()
  do {
    const { times, wrong, note } = await abuse.act(abused)
    all.times += times
    all.wrong.push(...wrong)
    if (note !== undefined) all.note = note
  } while (performance.now() - startedAt < atLeastMs)
  return all
}
