import { createServer } from 'node:http'
import type { Histogram } from 'prom-client'

type RequestLabels = 'host' | 'method' | 'route' | 'status'

/** Undefined until somebody wants to read the figures: then nothing is counted, and the library is not loaded. */
let requests: Histogram<RequestLabels> | undefined

export function countRequest(
  request: Record<Exclude<RequestLabels, 'status'>, string> & { status: number; seconds: number },
): void {
  const { seconds, host, method, route, status } = request
  requests?.observe({ host, method, route, status: String(status) }, seconds)
}

/** Prometheus reads an address of its own, which no public host shows. */
export async function startMetrics(address: { host: string; port: number }): Promise<{ stop(): Promise<void> }> {
  const { collectDefaultMetrics, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  requests = new Histogram({
    name: 'keystall_request_seconds',
    help: 'Time from request to answer.',
    labelNames: ['host', 'method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  return { stop: () => new Promise((resolve) => server.close(() => resolve())) }
}
