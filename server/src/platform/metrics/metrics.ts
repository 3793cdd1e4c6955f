import { createServer } from 'node:http'
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

const registry = new Registry()

const requests = new Histogram({
  name: 'keystall_request_seconds',
  help: 'Time from request to answer.',
  labelNames: ['host', 'method', 'route', 'status'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [registry],
})

const jobs = new Counter({
  name: 'keystall_jobs_total',
  help: 'Tries of jobs by their outcome.',
  labelNames: ['job', 'outcome'] as const,
  registers: [registry],
})

export function countRequest(request: { host: string; method: string; route: string; status: number; seconds: number }): void {
  const { seconds, host, method, route, status } = request
  requests.observe({ host, method, route, status: String(status) }, seconds)
}

export function countJob(job: string, outcome: 'done' | 'failed'): void {
  jobs.inc({ job, outcome })
}

/** Prometheus reads an address of its own, which no public host shows. */
export async function startMetrics(address: { host: string; port: number }): Promise<{ stop(): Promise<void> }> {
  collectDefaultMetrics({ register: registry })
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
