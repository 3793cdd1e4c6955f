import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expectEnd, expectMore, heldBy, type Lane, newLane, pause, stop } from './lane.ts'
import { closeLater, lingerAtEnd } from './linger.ts'
import { endAll } from './together.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Of all that were sent in advance, so many begin at once, from whichever connections. */
const aTurnMax = 2
/** Then everybody else has as many times as long as that took. */
const leftToOthers = 9
const restMsMin = 1
/** A pause of the machine in the midst of it is not theirs. */
const turnMsMax = 60
/** What is not taken at once is handed to the network when nobody counts the time: a slow machine's pace for it. */
const bytesAMs = 250_000
/** No socket takes more at once: the rest of a file goes in its own time. */
const bytesAtOnceMax = 4_000_000
/** So many may wait, and more if they are short. One that had come in part would be taken for slow when no more is read. */
const waitingMax = 64
const waitingBytesMax = 64 * 1024
/** Nobody who looks at a page sends so many in advance. */
const crowdMin = 8
/** However short they are: the connection ends with the one whose memory goes beyond this, about the three hundredth. */
const heldMax = 1_000_000
/** Of all connections: beyond it each that sends in advance ends with what it has sent so far. */
const heldOfAllMax = 50_000_000

interface Lanes {
  /** Told of a connection before its first request is. */
  open(socket: Socket): void
  take: Handle
  /** No more of it is read. */
  stop(socket: Socket): void
  /** The newest answer of a connection, whether it waits, is under way or sent. */
  newestOf(socket: Socket): ServerResponse | undefined
  /** The newest whose request has come whole, or the one under way. */
  newestWholeOf(socket: Socket): ServerResponse | undefined
}

interface LanesOptions {
  /** Told of a connection that sends many at once. */
  onCrowd?: () => void
  /** Whether a request may begin before it is known that none came with it. */
  mayBeginAtOnce?: () => boolean
}

/**
 * One connection has one request answered at a time, however many it sends in advance, and those of all connections take
 * turns: everybody else would wait meanwhile. When too many wait, no more of it is read.
 */
export function createLanes(
  handle: Handle,
  { mayBeginAtOnce = () => true, onCrowd = () => {} }: LanesOptions = {},
): Lanes {
  const lanes = new WeakMap<Socket, Lane>()
  /** Those whose next request may begin. */
  const open: Lane[] = []
  let isDue = false
  let owedMs = 0
  let heldOfAll = 0
  /** When the newest of all requests was read. */
  let takenAt = 0

  function openLane(socket: Socket): Lane {
    const lane = newLane(socket)
    lanes.set(socket, lane)
    lingerAtEnd(socket)
    expectMore(lane)
    socket.once('close', () => forget(lane))
    return lane
  }

  function openLater(lane: Lane): void {
    owe(lane)
    if (!hasNext(lane)) return
    open.push(lane)
    if (isDue) return
    isDue = true
    setImmediate(rest)
  }

  function owe(lane: Lane): void {
    const { bytesWritten } = lane.socket
    owedMs += (leftToOthers * Math.min(bytesWritten - lane.paidBytes, bytesAtOnceMax)) / bytesAMs
    lane.paidBytes = bytesWritten
  }

  function beginSome(): void {
    const beganAt = performance.now()
    const some = open.splice(0, aTurnMax)
    for (const lane of some) beginNext(lane)
    endAll()
    owedMs += leftToOthers * Math.min(performance.now() - beganAt, turnMsMax)
    setImmediate(() => {
      for (const lane of some) owe(lane)
      rest()
    })
  }

  function rest(): void {
    if (owedMs < restMsMin) {
      goOn()
      return
    }
    setTimeout(goOn, owedMs)
    owedMs = 0
  }

  function goOn(): void {
    isDue = open.length > 0
    if (isDue) beginSome()
  }

  function beginNext(lane: Lane): void {
    const next = hasNext(lane) && lane.waiting.shift()
    if (!next) return
    release(lane, next.heldBytes)
    lane.current = next.response
    if (lane.waiting.length > 0) follow(lane)
    if (lane.isPaused && !lane.isStopped && lane.waiting.length <= waitingMax / 2) {
      lane.isPaused = false
      lane.socket.resume()
    }
    handle(next.request, next.response)
  }

  /** All that came with it has been read by now: who has sent more in advance takes turns from the first on. */
  function beginFirst(lane: Lane): void {
    if (lane.waiting.length > 1) openLater(lane)
    else beginNext(lane)
  }

  /** After the last answer of a connection nothing is done any more: the client may send it again elsewhere. */
  function hasNext(lane: Lane): boolean {
    if (!lane.socket.writable) forget(lane)
    return lane.waiting.length > 0
  }

  function forget(lane: Lane): void {
    lane.waiting.length = 0
    release(lane, lane.heldBytes)
  }

  function wait(lane: Lane, request: IncomingMessage, response: ServerResponse): number {
    const heldBytes = heldBy(request)
    lane.heldBytes += heldBytes
    heldOfAll += heldBytes
    lane.newest = response
    return lane.waiting.push({ request, response, heldBytes })
  }

  function release(lane: Lane, bytes: number): void {
    lane.heldBytes -= bytes
    heldOfAll -= bytes
  }

  function follow(lane: Lane): void {
    if (lane.current?.closed) openLater(lane)
    else lane.current?.once('close', () => openLater(lane))
  }

  return {
    open: (socket) => void openLane(socket),
    take: (request, response) => {
      const { socket } = request
      const lane = lanes.get(socket) ?? openLane(socket)
      // Only if its parser could not be stopped.
      if (lane.isFull || !socket.writable) {
        socket.destroy()
        return
      }
      const { bytesRead } = socket
      const now = performance.now()
      // Read in one go with the one before.
      if (bytesRead === lane.readBytes) owedMs += leftToOthers * Math.min(now - takenAt, turnMsMax)
      takenAt = now
      const isInAdvance = lane.waiting.length > 0 || lane.current?.closed === false || bytesRead === lane.readBytes
      lane.readBytes = bytesRead
      if (!isInAdvance) {
        // For what it has waited for it owes nothing.
        lane.paidBytes = socket.bytesWritten
        // One that has waited for every answer will do so again.
        if (lane.current && !lane.isHasty && mayBeginAtOnce()) {
          lane.current = response
          lane.newest = response
          handle(request, response)
          return
        }
        wait(lane, request, response)
        process.nextTick(beginFirst, lane)
        return
      }
      if (!lane.isHasty) {
        lane.isHasty = true
        // Until now it owed nothing.
        lane.paidBytes = socket.bytesWritten
        expectEnd(lane)
      }
      const waiting = wait(lane, request, response)
      if (waiting === 1) follow(lane)
      if (waiting <= 2) lane.readBefore = bytesRead
      if (waiting === crowdMin) onCrowd()
      if (lane.heldBytes > heldMax || (waiting > 1 && heldOfAll > heldOfAllMax)) {
        lane.isFull = true
        response.shouldKeepAlive = false
        closeLater(socket)
      } else if (waiting >= waitingMax && bytesRead - lane.readBefore >= waitingBytesMax) {
        pause(lane)
      }
    },
    stop(socket) {
      const lane = lanes.get(socket)
      if (lane) stop(lane)
    },
    newestOf: (socket) => lanes.get(socket)?.newest,
    newestWholeOf: (socket) => {
      const lane = lanes.get(socket)
      return lane?.waiting.findLast(({ request }) => request.complete)?.response ?? lane?.current
    },
  }
}
