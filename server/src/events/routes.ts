import { Readable } from 'node:stream'
import * as contract from '@keystall/contract/endpoints/webhooks'
import { isEventType } from '@keystall/contract/shapes/webhook'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { invalid } from '#problem'
import { followEvents, takePlace } from './live.ts'
import { selectEvents } from './queries.ts'
import type { EventRow } from './tables.ts'

export function eventRoutes(draining: { isDraining: boolean }): Implementation[] {
  return [
    implement(contract.listEvents, async ({ db, store, query }) =>
      ok((await selectEvents(db, store, query)).flatMap(shown)),
    ),

    implement(contract.followEvents, async ({ db, store, caller, query, request, reply }) => {
      const after = query.after ?? lastEventId(request.headers['last-event-id'])
      let isOver = false
      const leave = takePlace(caller.id)
      reply.raw.once('close', () => {
        isOver = true
        leave()
      })
      reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
      if (request.method === 'HEAD') return reply.send('')
      return reply.send(Readable.from(told(followEvents(db, store, after, () => isOver || draining.isDraining))))
    }),
  ]
}

function lastEventId(header: string | string[] | undefined): number | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header)) {
    throw invalid({ 'Last-Event-ID': 'must be the number of an event' })
  }
  return Number(header)
}

async function* told(events: AsyncGenerator<EventRow | undefined>): AsyncGenerator<string> {
  yield 'retry: 1000\n\n'
  for await (const row of events) {
    if (!row) yield ': still here\n\n'
    for (const event of row ? shown(row) : []) {
      yield `id: ${event.number}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
    }
  }
}

/** As it was sent. */
function shown({ id, number, body }: EventRow) {
  const { type, timestamp, data } = Object(JSON.parse(body))
  return number !== null && isEventType(type) ? [{ id, number, type, timestamp, data }] : []
}
