import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { rawFailure } from './instance.ts'
import { inLanes } from './lanes.ts'

export type Handle = (request: IncomingMessage, response: ServerResponse) => void

const descriptorsKept = 1_000
/** Long enough for whoever talks to us all the time to hear that the connection ends. */
const partingMs = 500

/** The answers under way; once the server is to stop, each is the last on its connection. */
interface Parting {
  isParting: boolean
  answers: Set<ServerResponse>
}

const partings = new WeakMap<Server, Parting>()

/** The one listener. It closes slow senders, and refuses cleanly before descriptors run out. */
export function createListener(handle: Handle): Server {
  const parting: Parting = { isParting: false, answers: new Set() }
  const take = inLanes(
    (request, response) => {
      parting.answers.add(response)
      if (parting.isParting) response.shouldKeepAlive = false
      if (request.headers.host === undefined && request.httpVersion === '1.1') request.socket.end(rawFailure())
      else handle(request, response)
    },
    (response) => parting.answers.delete(response),
  )
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 60_000,
      requestTimeout: 0,
      insecureHTTPParser: false,
      // Node alone would keep the first of two keys, hosts or types; joined they are neither.
      joinDuplicateHeaders: true,
      // Node alone would refuse without a body.
      requireHostHeader: false,
    },
    take,
  )
  partings.set(server, parting)
  // A client may expect what it likes; Node alone would refuse without a body.
  server.on('checkExpectation', take)
  server.maxConnections = Math.max(100, descriptorLimit() - descriptorsKept)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else socket.end(rawFailure(error))
  })
  return server
}

function descriptorLimit(): number {
  try {
    const line = readFileSync('/proc/self/limits', 'utf8').match(/Max open files\s+(\d+)/)
    return Number(line?.[1] ?? 10_000)
  } catch {
    return 10_000
  }
}

/**
 * Answers what is under way, takes nothing new, and ends at the latest after the given time. First every answer says
 * that its connection ends: one that is closed while its next request is on the way would cut it.
 */
export async function drain(server: Server, timeoutSeconds: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), timeoutSeconds * 1000)
  await part(server)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const idleSweep = setInterval(() => server.closeIdleConnections(), 50)
  await closed
  clearInterval(idleSweep)
  clearTimeout(timer)
}

async function part(server: Server): Promise<void> {
  const parting = partings.get(server)
  if (!parting) return
  parting.isParting = true
  for (const answer of parting.answers) answer.shouldKeepAlive = false
  const connections = await new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
  if (connections > 0) await sleep(partingMs)
}
