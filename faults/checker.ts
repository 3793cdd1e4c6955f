import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Case } from './tools/case.ts'
import { check, fileFaults } from './tools/check.ts'
import { momentFaults } from './tools/check-moment.ts'
import { messageFaults } from './tools/check-messages.ts'
import { tableFaults } from './tools/check-tables.ts'
import { plantedInTables } from './tools/planted.ts'
import { startReceiver } from './tools/receiver.ts'
import { settled } from './tools/under-load.ts'
import { openWorld, type World } from './tools/world.ts'

const enough = 150
const longestMs = 60_000

/** A check that cannot fail shows nothing: each is given a world in which just its own fault was planted. */
export const checker: Case = {
  name: 'checker',
  forms: ['whole'],
  async run({ random }) {
    const world = await openWorld({}, random)
    try {
      const until = performance.now() + longestMs
      while (!isRich(world) && performance.now() < until) await sleep(50)
      await world.load.stop()
      const { wrong } = await settled(world, performance.now())
      const missed = [...Object.keys(wrong).map((what) => `without any fault: ${what}`), ...(await missedIn(world))]
      return [
        {
          fault: 'faults planted for the checker',
          times: Object.keys(plantedInTables).length + Object.keys(plantedElsewhere).length,
          acknowledged: world.ledger.acknowledged,
          verdict: missed.length === 0 ? 'holds' : 'FAILS',
          notes: missed.map((what) => `not noticed: ${what}`),
        },
      ]
    } finally {
      await world.close()
    }
  },
}

/** A fault can be planted only in what is there. */
function isRich({ ledger }: World): boolean {
  const fates = new Set([...ledger.placed.values()].map(({ fate }) => fate))
  return ledger.acknowledged >= enough && fates.size === 3
}

async function missedIn(world: World): Promise<string[]> {
  const client = await world.database.connect()
  const missed: string[] = []
  try {
    for (const [what, statement] of Object.entries(plantedInTables)) {
      await client.query('begin')
      await client.query(statement.replaceAll('$store', `'${world.shop.storeId}'`))
      const found = await tableFaults(client, world)
      if (!((found[what] ?? 0) > 0)) missed.push(what)
      await client.query('rollback')
    }
    for (const [what, plant] of Object.entries(plantedElsewhere)) {
      const found = await plant(client, world)
      if (!((found[what] ?? 0) > 0)) missed.push(what)
    }
    return missed
  } finally {
    await client.end()
  }
}

type Plant = (client: Client, world: World) => Promise<Record<string, number>>

/** In what the receiver got, in what buyers were told, on the disk, and in what the servers did. */
const plantedElsewhere: Record<string, Plant> = {
  'lost events (never sent)': (client, world) => withEvents(client, world, (events) => events.slice(1)),
  'messages that are no event': (client, world) =>
    withEvents(client, world, (events) => [...events, { id: 'nobody', body: '' }]),
  'messages with another body than the event': (client, world) =>
    withEvents(client, world, ([first, ...rest]) => (first ? [{ ...first, body: '{}' }, ...rest] : [])),
  "messages without the store's signature": async (client, world) => {
    const receiver = Object.assign(await startReceiver(), { secret: world.receiver.secret })
    const headers = { 'webhook-id': 'x', 'webhook-timestamp': '0', 'webhook-signature': `v1,${'A'.repeat(43)}=` }
    await fetch(receiver.url('dynamic'), { method: 'POST', headers, body: '{}' })
    receiver.close()
    return messageFaults(client, { ...world, receiver })
  },
  'messages that came before an earlier one of their subject': (client, world) =>
    withEvents(client, world, (events) => events.toReversed()),
  'messages that too many later ones came before': (client, world) =>
    withEvents(client, world, ([first, ...rest]) => (first ? [...rest.slice(0, 30), first, ...rest.slice(30)] : [])),
  'doubled items (two buyers were given one)': (client, world) => {
    const [order] = [...world.ledger.placed.values()].filter(({ told }) => told !== null)
    const placed = new Map([...world.ledger.placed, ...(order ? [['another', order] as const] : [])])
    return messageFaults(client, { ...world, ledger: { ...world.ledger, placed } })
  },
  // As a look between two strikes sees it.
  'lost orders': (_client, world) => {
    const placed = new Map([...world.ledger.placed, [randomUUID(), { fate: 'placed', told: null }] as const])
    return momentFaults({ ...world, ledger: { ...world.ledger, placed } }, 0)
  },
  'lost files': (client, world) => withBlobs(client, world, () => []),
  'half files': (client, world) =>
    withBlobs(client, world, (blobs) => blobs.map(([key, blob]) => [key, blob.subarray(0, blob.length - 3)])),
  'orphan files under nowhere': (client, world) =>
    withBlobs(client, world, (blobs) => [...blobs, ['nowhere/x', Buffer.from('x')]]),
  'lost files (an older one is there)': (client, world) => {
    const files = new Map(
      [...world.ledger.files].map(([id, { sent }]) => [id, { sent, lastAcknowledged: sent.length }] as const),
    )
    return fileFaults(client, { ...world, ledger: { ...world.ledger, files } })
  },
  'answer: POST / answered 500': (_client, world) => {
    const unexpected = new Map([['POST / answered 500', 1]])
    return check({ ...world, requests: { ...world.requests, unexpected } }, [])
  },
  'servers that ended': (_client, world) =>
    check({ ...world, servers: world.servers.map((server) => ({ ...server, hasDied: () => true })) }, []),
}

type Events = World['receiver']['events']

function withEvents(client: Client, world: World, change: (events: Events) => Events) {
  return messageFaults(client, { ...world, receiver: { ...world.receiver, events: change(world.receiver.events) } })
}

type Blobs = [key: string, blob: Buffer][]

async function withBlobs(client: Client, world: World, change: (blobs: Blobs) => Blobs) {
  const changed = change([...(await world.blobs())])
  return fileFaults(client, { ...world, blobs: async () => new Map(changed) })
}
