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
export function inLanes(handle: Handle, onEnd: (response: ServerResponse) => void = () => {}): Handle {
  const lanes = new WeakMap<Socket, Lane>()

  function begin(lane: Lane, request: IncomingMessage, response: ServerResponse): void {
    lane.underWay += 1
    response.on('close', () => {
      onEnd(response)
      end(request.socket, lane)
    })
    handle(request, response)
  }

  return (request, response) => {
    const { socket } = request
    let lane = lanes.get(socket)
    if (!lane) {
      lane = { underWay: 0, waiting: [], isPaused: false }
      lanes.set(socket, lane)
    }
    const own = lane
    if (own.underWay < atOnceMax) begin(own, request, response)
    else wait(socket, own, () => begin(own, request, response))
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
