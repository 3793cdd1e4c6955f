import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import pg from 'pg'

// Loaded into the server before its own code: counts what it asks of the database, and times requests where they arrive.

const requests = new AsyncLocalStorage<true>()
let inRequests = 0
let took: { path: string; ms: number }[] = []
const began = new WeakMap<IncomingMessage, number>()

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  if (requests.getStore()) inRequests += 1
  return Reflect.apply(query, this, given)
} as typeof query

channel('http.server.request.start').subscribe((message) => {
  began.set(Object(message).request, performance.now())
  requests.enterWith(true)
})
channel('http.server.response.finish').subscribe((message) => {
  const { request } = Object(message)
  const path =
    String(request.url)
      .replace(/[0-9a-f-]{36}/g, '{id}')
      .split('?')[0] ?? ''
  took.push({ path, ms: performance.now() - (began.get(request) ?? 0) })
})

// Whoever started the server reads, and so begins anew.
process.on('message', () => {
  process.send?.({ inRequests, took })
  inRequests = 0
  took = []
})
