import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { rawFailure } from './instance.ts'

export type Handle = (request: IncomingMessage, response: ServerResponse) => void

const descriptorsKept = 1_000

/** The one listener. It closes slow senders, and refuses cleanly before descriptors run out. */
export function createListener(handle: Handle): Server {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 60_000,
      requestTimeout: 0,
      insecureHTTPParser: false,
    },
    handle,
  )
  server.maxConnections = Math.max(100, descriptorLimit() - descriptorsKept)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else socket.end(rawFailure(error))
  })
  return server
}

function descriptorLimit(): number {
  try {
    const line = readFileSync('/proc/self/limits', 'utf8').match(/Max open files\s+(\d+)/)
    return Number(line?.[1] ?? 10_000)
  } catch {
    return 10_000
  }
}

/** Answers what is under way, takes nothing new, and ends at the latest after the given time. */
export async function drain(server: Server, timeoutSeconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const idleSweep = setInterval(() => server.closeIdleConnections(), 50)
  const timer = setTimeout(() => server.closeAllConnections(), timeoutSeconds * 1000)
  await closed
  clearInterval(idleSweep)
  clearTimeout(timer)
}
