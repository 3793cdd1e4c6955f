import { Socket } from 'node:net'

// Loaded into the server before its own code: counts round trips to the database, and says what the process used.

/** What the database answers with the word that it is ready: the end of a prepared statement's messages, or a plain query. */
const asking = new Set(['S', 'Q'].map((letter) => letter.charCodeAt(0)))
let roundTrips = 0
const write: (this: Socket, chunk: never, encoding?: never, done?: never) => boolean = Socket.prototype.write
/** Of all connections the database's alone have no address; answers go as text. */
Socket.prototype.write = function (this: Socket, chunk: unknown, encoding?: never, done?: never) {
  if (chunk instanceof Uint8Array && asking.has(chunk[0] ?? 0)) {
    if (this.remoteAddress === undefined) roundTrips += 1
  }
  return write.call(this, chunk as never, encoding, done)
}

process.on('message', (message) => {
  if (message !== 'meter') return
  const { user, system } = process.cpuUsage()
  process.send?.({ roundTrips, cpuMicroseconds: user + system, residentBytes: process.memoryUsage.rss() })
})
