import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Who was told that the connection ends has the time to read it, even if more was on the way. */
const lingerMs = 1_000

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

/** Node would read to its end what nobody has begun to read, and everybody waits while that is swept up. */
export function leaveUnread(raw: IncomingMessage): void {
  raw.pause().on('error', () => {})
  // Begun, as far as Node knows.
  raw.read(0)
}

/** When nobody will read the rest of a request, its connection ends with the answer. */
export function endIfUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (!raw.isPaused()) return
  reply.header('connection', 'close')
  closeLater(raw.socket)
  // Node forgets a request that was answered, and so would leave what was read of it to whoever waits for the rest.
  raw.socket.once('close', () => void raw.destroy())
}
