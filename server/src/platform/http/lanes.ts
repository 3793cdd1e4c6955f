import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

const atOnceMax = 8
const waitingMax = 64

interface Lane {
  /** The newest answer. As long as each request comes after the last answer, nothing else is noted. */
  newest: ServerResponse | undefined
  underWay: number
  waiting: (() => void)[]
  isPaused: boolean
}

interface Lanes {
  take: Handle
  /** The newest answer of a connection, whether it is under way or sent. */
  newestOf(socket: Socket): ServerResponse | undefined
}

/**
 * One connection has a few requests answered at once, however many it sends in advance: its answers leave in turn
 * anyway, and everybody else would wait meanwhile. When too many wait, no more of it is read.
 */
export function createLanes(handle: Handle): Lanes {
  const lanes = new WeakMap<Socket, Lane>()

  function openLane(socket: Socket): Lane {
    const lane: Lane = { newest: undefined, underWay: 0, waiting: [], isPaused: false }
    lanes.set(socket, lane)
    return lane
  }

  return {
    take: (request, response) => {
      const { socket } = request
      const lane = lanes.get(socket) ?? openLane(socket)
      const before = lane.newest
      lane.newest = response
      if (lane.underWay === 0) {
        if (before === undefined || before.writableFinished) return handle(request, response)
        count(socket, lane, before)
      }
      const begin = () => {
        count(socket, lane, response)
        handle(request, response)
      }
      if (lane.underWay < atOnceMax && lane.waiting.length === 0) begin()
      else wait(socket, lane, begin)
    },
    newestOf: (socket) => lanes.get(socket)?.newest,
  }
}

function count(socket: Socket, lane: Lane, response: ServerResponse): void {
  lane.underWay += 1
  response.once('close', () => end(socket, lane))
}

function wait(socket: Socket, lane: Lane, begin: () => void): void {
  lane.waiting.push(begin)
  if (lane.isPaused || lane.waiting.length < waitingMax) return
  lane.isPaused = true
  socket.pause()
}

function end(socket: Socket, lane: Lane): void {
  lane.underWay -= 1
  if (socket.destroyed) lane.waiting.length = 0
  // Not at once: an answer that is kept ends in the same turn as it begins, and all of them would.
  if (lane.waiting.length > 0) setImmediate(() => lane.waiting.shift()?.())
  if (!lane.isPaused || lane.waiting.length > waitingMax / 2) return
  lane.isPaused = false
  socket.resume()
}
