import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Who was told that the connection ends has the time to read it, even if more was on the way. */
const lingerMs = 1_000
/** What is shorter has mostly come with its headers. */
const longBytes = 64 * 1024

/** A connection that nothing is sent on any more is not kept by a sender who does not end it. */
export function lingerAtEnd(socket: Socket): void {
  socket.once('finish', () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
    socket.once('close', () => clearTimeout(timer))
  })
}

/** Closed with its last answer while the sender still sends, it would be reset, and the answers lost on their way. */
export function closeLater(socket: Socket): void {
  socket.destroySoon = () => void socket.end()
}

/** Whether a body is still on its way that is long, or of which nobody knows how long it is, and nobody has begun to read it. */
export function isUnread({ raw }: FastifyRequest): boolean {
  const { headers } = raw
  const isLong = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > longBytes
  return isLong && !raw.complete && !raw.readableDidRead
}

/** When nobody will read the rest of a request, its connection ends with the answer. */
export function endIfUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  // What nobody has begun to read Node itself reads to its end, and everybody waits while that is swept up.
  if (isUnread(request)) {
    raw.on('error', () => {})
    raw.pause().read()
  }
  if (!raw.isPaused()) return
  reply.header('connection', 'close')
  closeLater(raw.socket)
  // Node forgets a request that was answered, and so would leave what was read of it to whoever waits for the rest.
  raw.socket.once('close', () => void raw.destroy())
}
