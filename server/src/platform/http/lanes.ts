import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

const atOnceMax = 8
const waitingMax = 64

interface Lane {
  underWay: number
  waiting: (() => void)[]
  isPaused: boolean
}

/**
 * One connection has a few requests answered at once, however many it sends in advance: its answers leave in turn
 * anyway, and everybody else would wait meanwhile. When too many wait, no more of it is read.
 */
export function inLanes(handle: Handle): Handle {
  const lanes = new WeakMap<Socket, Lane>()
  return (request, response) => {
    const { socket } = request
    const lane = lanes.get(socket) ?? { underWay: 0, waiting: [], isPaused: false }
    lanes.set(socket, lane)
    const begin = () => {
      lane.underWay += 1
      response.once('close', () => end(socket, lane))
      handle(request, response)
    }
    if (lane.underWay < atOnceMax) begin()
    else wait(socket, lane, begin)
  }
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
  lane.waiting.shift()?.()
  if (!lane.isPaused || lane.waiting.length > waitingMax / 2) return
  lane.isPaused = false
  socket.resume()
}
