import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { findOrder } from '#orders/order-key'
import type { OrderStatus } from '#orders/tables'
import { networkOf } from '#platform/network'
import { unavailable } from '#problem'
import type { OrderVisit } from './order-pages.ts'

const lookEveryMs = 1500
/** A server that stops waits no longer than this for its streams. */
const wakeEveryMs = 250
const beatEveryMs = 15_000
/** Then the browser asks anew: nobody holds a connection for ever. */
const streamMs = 5 * 60_000
const streamsMax = 1000
const streamsOfNetworkMax = 20

const open = new Map<string, number>()

/** The order's status, told when it changes. Who cannot have a stream asks now and then instead. */
export async function streamStatus(visit: OrderVisit, draining: { isDraining: boolean }): Promise<FastifyReply> {
  const { request, reply } = visit
  const network = networkOf(request.ip)
  const mine = open.get(network) ?? 0
  const all = [...open.values()].reduce((sum, each) => sum + each, 0)
  if (mine >= streamsOfNetworkMax || all >= streamsMax) throw unavailable()
  open.set(network, mine + 1)
  let isClosed = false
  reply.raw.once('close', () => {
    isClosed = true
    const left = (open.get(network) ?? 1) - 1
    if (left > 0) open.set(network, left)
    else open.delete(network)
  })
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-accel-buffering': 'no',
  })
  return reply.send(Readable.from(statuses(visit, () => isClosed || draining.isDraining)))
}

export async function sendStatus({ order, reply }: OrderVisit): Promise<FastifyReply> {
  return reply.header('cache-control', 'private, no-store').send({ status: order.status })
}

async function* statuses({ platform, store, order }: OrderVisit, isOver: () => boolean): AsyncGenerator<string> {
  const end = performance.now() + streamMs
  let told: OrderStatus | undefined
  let beatAt = performance.now() + beatEveryMs
  while (!isOver() && performance.now() < end) {
    const { status } = (await findOrder(platform.db, store, order.id)) ?? order
    if (status !== told) yield `event: status\ndata: ${status}\n\n`
    else if (performance.now() > beatAt) {
      beatAt = performance.now() + beatEveryMs
      yield ': still here\n\n'
    }
    told = status
    for (let slept = 0; slept < lookEveryMs && !isOver(); slept += wakeEveryMs) await sleep(wakeEveryMs)
  }
}
