import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What Node keeps of a request that waits: however short it is, for each name and value, and of its body. */
const held = { request: 3_000, word: 65, bodyMost: 128 * 1024 }

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  heldBytes: number
}

/** One connection: what it has sent, and how it is kept from sending more. */
export interface Lane {
  socket: Socket
  /** The answer under way, or the last that was. */
  current?: ServerResponse
  /** The newest answer, begun or not. */
  newest?: ServerResponse
  waiting: Exchange[]
  /** What all that waits takes. */
  heldBytes: number
  /** How much of what was written is paid for. */
  paidBytes: number
  /** How much had been read with its newest request: one that came in the same piece was sent in advance. */
  readBytes: number
  /** How much had been read when more than one began to wait. */
  readBefore: number
  isPaused: boolean
  /** It ends with its newest answer. */
  isFull: boolean
  /** Nothing that still comes is taken. */
  isStopped: boolean
  isWatched: boolean
  /** Whether it has sent a request before the answer to the one before. */
  isHasty: boolean
}

export function newLane(socket: Socket): Lane {
  const flags = { isPaused: false, isFull: false, isStopped: false, isWatched: false, isHasty: false }
  return { socket, waiting: [], heldBytes: 0, paidBytes: 0, readBytes: 0, readBefore: 0, ...flags }
}

/** About as much memory as it takes while it waits. */
export function heldBy({ rawHeaders, url = '', headers }: IncomingMessage): number {
  const bodyLength = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity
  let bytes = held.request + url.length + Math.min(bodyLength, held.bodyMost)
  for (const word of rawHeaders) bytes += held.word + word.length
  return bytes
}

export function stop(lane: Lane): void {
  lane.isStopped = true
  pause(lane)
}

export function pause(lane: Lane): void {
  if (lane.isPaused) return
  lane.isPaused = true
  const { socket } = lane
  if (!lane.isWatched) {
    lane.isWatched = true
    // Node reads on by itself after each request.
    socket.on('resume', () => {
      if (!lane.isPaused) return
      socket.pause()
      // One that was paused before it could resume takes that for nothing new, and is read.
      socket.emit('pause')
    })
  }
  socket.pause()
}

/**
 * Node makes an error or two of each request whose connection goes before its answer. Nobody reads where it was made, and
 * to find that out for hundreds takes longer than all the rest.
 */
export function expectEnd(lane: Lane): void {
  let framesMax = Error.stackTraceLimit
  lane.socket.prependOnceListener('close', () => {
    framesMax = Error.stackTraceLimit
    Error.stackTraceLimit = 0
  })
  lane.socket.once('close', () => {
    Error.stackTraceLimit = framesMax
  })
}

/** To Node's parser: what follows is something else. */
const endOfRequests = 2

interface Parser {
  onIncoming?: ((request: IncomingMessage & { upgrade?: boolean }, shouldKeepAlive: boolean) => number) | null
}

/**
 * Node makes a request of everything that has arrived, thousands where each is short, and keeps what it made until the
 * connection ends. It asks here before it does, where nothing official could say no.
 */
export function expectMore(lane: Lane): void {
  const { parser } = lane.socket as Socket & { parser?: Parser }
  const onIncoming = parser?.onIncoming
  if (!onIncoming) return
  parser.onIncoming = (request, shouldKeepAlive) => {
    if (!lane.isFull && lane.socket.writable) return onIncoming(request, shouldKeepAlive)
    // The one before has come whole.
    stop(lane)
    request.upgrade = false
    return endOfRequests
  }
}
