import { Socket } from 'node:net'

// Loaded into the server before its own code: counts round trips to the database, and says what the process used.

let roundTrips = 0
const { uncork } = Socket.prototype
/** The messages of a statement leave together; of all connections the database's alone have no address. */
Socket.prototype.uncork = function (this: Socket) {
  if (this.remoteAddress === undefined) roundTrips += 1
  uncork.call(this)
}

process.on('message', (message) => {
  if (message !== 'meter') return
  const { user, system } = process.cpuUsage()
  process.send?.({ roundTrips, cpuMicroseconds: user + system, residentBytes: process.memoryUsage.rss() })
})
