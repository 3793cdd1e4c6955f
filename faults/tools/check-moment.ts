import { messageFaults } from './check-messages.ts'
import { tableFaults } from './check-tables.ts'
import type { World } from './world.ts'
import type { Wrong } from './wrong.ts'

/** May be so for a moment: somebody waits for an answer, or it is left to the background. */
const passing = [
  'doubled orders (nobody was told of them)',
  'doubled payments, or missing ones',
  'doubled items (appended)',
  'unpaid orders that changed',
  'events without a number',
  'acts without a number',
  'lost events (never sent)',
]

/** What must hold at any moment, while people go on: what they were told is in a snapshot that is taken later. */
export async function momentFaults(world: World, paidBefore: number): Promise<Wrong> {
  const told = toldUntilNow(world)
  const client = await world.database.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const found = { ...(await tableFaults(client, told, paidBefore)), ...(await messageFaults(client, told)) }
    return Object.fromEntries(Object.entries(found).filter(([what, count]) => count !== 0 && !passing.includes(what)))
  } finally {
    await client.end()
  }
}

/** Everybody goes on writing into the other one. */
function toldUntilNow({ shop, ledger, receiver }: World) {
  const copyOf = ({ acknowledged, unknown }: typeof ledger.replies) => ({
    acknowledged: new Set(acknowledged),
    unknown: new Set(unknown),
  })
  return {
    shop,
    ledger: {
      ...ledger,
      placed: new Map(ledger.placed),
      replies: copyOf(ledger.replies),
      appended: copyOf(ledger.appended),
    },
    receiver: { ...receiver, events: [...receiver.events] },
  }
}
