import type { FastifyReply, FastifyRequest } from 'fastify'

const lingerMs = 1_000

/**
 * When nobody will read the rest of a request, its connection ends with the answer. Closed while the sender still sends,
 * it would be reset, and the answer lost on its way: there is time to read it.
 */
export function endIfUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (!raw.isPaused()) return
  const { socket } = raw
  reply.header('connection', 'close')
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => raw.destroy(), lingerMs).unref()
  }
}
