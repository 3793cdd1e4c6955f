import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { isIn } from './hosts.ts'
import { rawFailure } from './instance.ts'
import { createLanes } from './lanes.ts'
import { type Limits, noLimits } from './limits.ts'
import { createNewcomers } from './newcomers.ts'
import { inTurnToRefuse } from './refusals.ts'
import { createTurnstile } from './turnstile.ts'

export type Handle = (request: IncomingMessage, response: ServerResponse) => void

const descriptorsKept = 1_000
/** What clients are told: who keeps to it has closed a silent connection by itself, and never meets our closing it. */
const keptMs = 5_000
/** Proxies are told nothing, and keep theirs for a minute. */
const keptLongerMs = 55_000
const sweepMs = 50

/** Whoever is sent on to a successor may take their time; else every moment is one in which nobody is served. */
const patience = {
  withSuccessor: { silenceMs: keptMs + 1_500, underWayMs: 30_000 },
  alone: { silenceMs: 500, underWayMs: 6_500 },
}

/** How the server stops: every answer is the last on its connection. */
interface Parting {
  isParting: boolean
  sockets: Set<Socket>
  /** Those that are not read yet. */
  held: Map<Socket, NodeJS.Timeout>
  newestAnswerOf: (socket: Socket) => ServerResponse | undefined
  /** Since when a connection may have been silent that never heard of the end. */
  quietSince: number
  silenceMs: number
  cutAt: number
  ended?: Promise<void>
}

const partings = new WeakMap<Server, Parting>()

interface ListenerOptions {
  limits?: Pick<Limits, 'waitMsOfConnection'>
  /** Whose connections are many people's. */
  trustProxy?: string[]
}

/** The one listener. It closes slow senders, and refuses cleanly before descriptors run out. */
export function createListener(handle: Handle, { limits = noLimits, trustProxy = [] }: ListenerOptions = {}): Server {
  function begin(request: IncomingMessage, response: ServerResponse): void {
    // What was sent in advance is answered too.
    if (parting.isParting && lanes.newestOf(request.socket) === response) response.shouldKeepAlive = false
    if (request.headers.host === undefined && request.httpVersion === '1.1') request.socket.end(rawFailure())
    else handle(request, response)
  }
  const newcomers = createNewcomers()
  const lanes = createLanes(begin, { mayBeginAtOnce: () => !parting.isParting, onCrowd: newcomers.beware })
  const parting = newParting(lanes.newestOf)
  const enter = createTurnstile()
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      // Thousands that came at once are found too slow a few at a time.
      connectionsCheckingInterval: 100,
      keepAliveTimeout: keptMs,
      keepAliveTimeoutBuffer: keptLongerMs,
      requestTimeout: 0,
      insecureHTTPParser: false,
      // A request without a body has ended when it begins, and costs no events; see instance.ts for who waits for them.
      optimizeEmptyRequests: true,
      // Node alone would keep the first of two keys, hosts or types; joined they are neither.
      joinDuplicateHeaders: true,
      // Node alone would refuse without a body.
      requireHostHeader: false,
    },
    lanes.take,
  )
  partings.set(server, parting)
  server.on('connection', (socket) => {
    const ip = socket.remoteAddress ?? ''
    const isWelcome = parting.isParting || isIn(trustProxy, ip)
    const waitMs = isWelcome ? 0 : limits.waitMsOfConnection(ip)
    if (waitMs === undefined) return void socket.destroy()
    lanes.open(socket)
    const heldMs = isWelcome ? 0 : Math.max(waitMs, newcomers.waitMs())
    if (heldMs > 0) holdBack(parting, socket, heldMs)
    parting.sockets.add(socket)
    socket.once('close', () => parting.sockets.delete(socket))
  })
  // A client may expect what it likes; Node alone would refuse without a body.
  server.on('checkExpectation', lanes.take)
  server.maxConnections = Math.max(100, descriptorLimit() - descriptorsKept)
  const refused = new WeakSet<Socket>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isMalformed = error.code?.startsWith('HPE_') === true
    if (error.code === 'ECONNRESET' || !(socket.writable || isMalformed)) return void socket.destroy()
    // Node makes an error of each piece that follows, and a copy of it.
    lanes.stop(socket)
    if (!socket.writable || refused.has(socket)) return
    refused.add(socket)
    // The error keeps a copy of what came; this waits, maybe for long.
    const { code } = error
    // In turn: the client would take it for the answer to what it sent before. One that was cut off has no other answer.
    const before = lanes.newestWholeOf(socket)
    // Worded when its turn comes: thousands that were silent for too long are found at once.
    const refuse = () => {
      if (!socket.writable) return
      if (!before || before.req.complete || !before.headersSent) socket.end(rawFailure(code))
      // It was answered before the rest of it came: a second answer would be taken for a part of the first.
      else if (before.writableFinished) socket.end()
      else if (before.writableEnded) before.once('close', () => socket.end())
      else socket.destroy()
    }
    if (before?.req.complete && !before.closed) before.once('close', refuse)
    else inTurnToRefuse(() => enter(refuse))
  })
  return server
}

/** One address cannot keep everybody else waiting by coming again and again. */
function holdBack({ held }: Parting, socket: Socket, waitMs: number): void {
  // Node is about to read it, and would do so.
  process.nextTick(() => void (held.has(socket) && socket.pause()))
  const timer = setTimeout(() => letIn(held, socket), waitMs).unref()
  held.set(socket, timer)
  socket.once('close', () => letIn(held, socket))
}

function letIn(held: Parting['held'], socket: Socket): void {
  clearTimeout(held.get(socket))
  if (held.delete(socket)) socket.resume()
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
 * Answers what is under way, and tells every connection with its next answer that it ends: one that is closed while a
 * request is on the way would cut it. With a successor, nothing new is taken from now on, and the silent are waited for
 * until they have gone by themselves. Told again without one, it makes haste.
 */
export function drain(server: Server, { hasSuccessor }: { hasSuccessor: boolean }): Promise<void> {
  const parting = partings.get(server)
  if (!parting) throw new Error('drain() ends what createListener() made')
  const { silenceMs, underWayMs } = hasSuccessor ? patience.withSuccessor : patience.alone
  parting.silenceMs = Math.min(parting.silenceMs, silenceMs)
  parting.cutAt = Math.min(parting.cutAt, performance.now() + underWayMs)
  parting.ended ??= part(server, parting, hasSuccessor)
  return parting.ended
}

function newParting(newestAnswerOf: Parting['newestAnswerOf']): Parting {
  return {
    isParting: false,
    sockets: new Set(),
    held: new Map(),
    newestAnswerOf,
    quietSince: 0,
    silenceMs: Number.POSITIVE_INFINITY,
    cutAt: Number.POSITIVE_INFINITY,
  }
}

async function part(server: Server, parting: Parting, hasSuccessor: boolean): Promise<void> {
  parting.isParting = true
  parting.quietSince = performance.now()
  for (const socket of parting.held.keys()) letIn(parting.held, socket)
  for (const socket of parting.sockets) {
    const answer = parting.newestAnswerOf(socket)
    if (answer?.headersSent === false) answer.shouldKeepAlive = false
    // Its head has promised that the connection stays.
    else if (answer && !answer.writableFinished) answer.once('close', () => (parting.quietSince = performance.now()))
  }
  let isListening = true
  const refuse = () => {
    isListening = false
    // As any listener would; that of HTTP closes the silent with it.
    NetServer.prototype.close.call(server)
  }
  if (hasSuccessor) refuse()
  while (parting.sockets.size > 0) {
    await sleep(sweepMs)
    // What has arrived is read by then, however busy the process: nobody is taken for silent who is not.
    await nextTurn()
    const now = performance.now()
    const isOver = now >= parting.cutAt
    if (!isOver && now - parting.quietSince < parting.silenceMs) continue
    // Who came in the last moment is given the time to speak.
    if (isListening) refuse()
    else if (isOver) server.closeAllConnections()
    else closeSilent(server, parting)
  }
  if (isListening) refuse()
}

/** To Node a connection on which nothing ever came is not idle. */
function closeSilent(server: Server, { sockets }: Parting): void {
  server.closeIdleConnections()
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
}
