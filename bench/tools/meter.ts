import { Socket } from 'node:net'

// Loaded into the server before its own code: counts round trips to the database, and says what the process used.

/** What the database answers with the word that it is ready: the end of a prepared statement's messages, or a plain query. */
const asking = new Set(['S', 'Q'].map((letter) => letter.charCodeAt(0)))
let roundTrips = 0
const write: (...given: never[]) => boolean = Socket.prototype.write
/** Of all connections the database's alone have no address. */
Socket.prototype.write = function (this: Socket, ...given: never[]) {
  const chunk: unknown = given[0]
  if (chunk instanceof Uint8Array && asking.has(chunk[0] ?? 0) && this.remoteAddress === undefined) roundTrips += 1
  return Reflect.apply(write, this, given)
}

process.on('message', (message) => {
  if (message !== 'meter') return
  const { user, system } = process.cpuUsage()
  process.send?.({ roundTrips, cpuMicroseconds: user + system, residentBytes: process.memoryUsage.rss() })
})
