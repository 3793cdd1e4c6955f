import type { Client } from 'pg'
import type { Told } from './check-tables.ts'
import type { Receiver } from './receiver.ts'
import type { Wrong } from './wrong.ts'

interface EventRow {
  id: string
  subject_id: string | null
  number: string | null
  body: string
}

interface Heard extends Told {
  receiver: Receiver
}

/** Nine are sent beside a message at most, and as many beside the one of its subject that it has to wait for. */
const overtakingMax = 18

/** What the seller's receiver and the buyers got, against what the tables say happened. */
export async function messageFaults(client: Client, { shop, receiver, ledger }: Heard): Promise<Wrong> {
  const events = await client.query<EventRow>(
    'select id, subject_id, number, body from events where store_id = $1 order by number',
    [shop.storeId],
  )
  const bodies = new Map(events.rows.map(({ id, body }) => [id, body]))
  const firstAt = new Map<string, number>()
  for (const [index, { id }] of receiver.events.entries()) if (!firstAt.has(id)) firstAt.set(id, index)
  const failed = await client.query<{ message_id: string }>(
    `select distinct delivery.message_id from webhook_attempts attempt
     join webhook_deliveries delivery on delivery.store_id = $1 and delivery.id = attempt.delivery_id
     where attempt.store_id = $1 and not attempt.is_success`,
    [shop.storeId],
  )
  const isLate = new Set(failed.rows.map(({ message_id }) => message_id))
  const told = [...ledger.placed.values()].flatMap((order) => order.told?.split('\n') ?? [])
  return {
    'lost events (never sent)': events.rows.filter(({ id }) => !firstAt.has(id)).length,
    'messages that are no event': [...firstAt.keys()].filter((id) => !bodies.has(id)).length,
    'messages with another body than the event': receiver.events.filter(({ id, body }) => bodies.get(id) !== body)
      .length,
    "messages without the store's signature": receiver.forged.length,
    'messages that came before an earlier one of their subject': outOfTurn(events.rows, firstAt, isLate),
    'messages that too many later ones came before': overtaken(events.rows, firstAt, isLate, receiver),
    'doubled items (two buyers were given one)': told.length - new Set(told).size,
  }
}

/** Messages about one order, ticket or product come in the order of their numbers. Nobody waits for one that failed. */
function outOfTurn(
  events: readonly EventRow[],
  firstAt: ReadonlyMap<string, number>,
  isLate: ReadonlySet<string>,
): number {
  const latest = new Map<string, number>()
  let wrong = 0
  for (const { id, subject_id } of events) {
    const at = firstAt.get(id)
    if (at === undefined || subject_id === null) continue
    if (at < (latest.get(subject_id) ?? -1)) wrong += 1
    if (!isLate.has(id)) latest.set(subject_id, Math.max(at, latest.get(subject_id) ?? -1))
  }
  return wrong
}

/**
 * Since the one before it about the same subject came. One that failed comes later, as it may, and so does one whose sender
 * died: what was begun before something broke is begun again after it, and counts from there.
 */
function overtaken(
  events: readonly EventRow[],
  firstAt: ReadonlyMap<string, number>,
  isLate: ReadonlySet<string>,
  receiver: Receiver,
): number {
  const numbers = new Map(events.map(({ id, number }) => [id, Number(number)]))
  // What came again overtook nobody then.
  const came = receiver.events.map(({ id }, place) => (firstAt.get(id) === place ? (numbers.get(id) ?? 0) : 0))
  // The highest number up to each place: below it nothing was overtaken, and nobody has to look further back.
  let highest = 0
  const highestUpTo = came.map((number) => (highest = Math.max(highest, number)))
  const before = new Map<string, number>()
  let wrong = 0
  for (const { id, subject_id, number } of events) {
    const place = firstAt.get(id)
    if (place === undefined) continue
    const previous = before.get(subject_id ?? id) ?? -1
    before.set(subject_id ?? id, Math.max(previous, place))
    const lastBreak = receiver.breaks.findLast(({ from }) => from <= place)
    const since = Math.max(previous, Math.min(lastBreak?.to ?? -1, place))
    let later = 0
    for (let at = place - 1; at > since && (highestUpTo[at] ?? 0) > Number(number); at -= 1)
      if ((came[at] ?? 0) > Number(number)) later += 1
    if (later > overtakingMax && !isLate.has(id)) wrong += 1
  }
  return wrong
}
