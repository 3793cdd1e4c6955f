import pg from 'pg'

// Loaded into the server before its own code: counts round trips to the database, and says what the process used.

let roundTrips = 0
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  roundTrips += 1
  return Reflect.apply(query, this, given)
} as typeof query

process.on('message', (message) => {
  if (message !== 'meter') return
  const { user, system } = process.cpuUsage()
  process.send?.({ roundTrips, cpuMicroseconds: user + system, residentBytes: process.memoryUsage.rss() })
})
