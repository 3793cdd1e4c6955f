import { createServer } from 'node:http'
import { sql } from 'kysely'
import type { Histogram } from 'prom-client'
import type { Platform } from '#platform/platform'

type RequestLabels = 'host' | 'method' | 'route' | 'status'

/** Undefined until somebody wants to read the figures: then nothing is counted, and the library is not loaded. */
let requests: Histogram<RequestLabels> | undefined
let jobs: Histogram<'queue' | 'outcome'> | undefined

export function countJob({ queue, isFailed, seconds }: { queue: string; isFailed: boolean; seconds: number }): void {
  jobs?.observe({ queue, outcome: isFailed ? 'failed' : 'done' }, seconds)
}

export function countRequest(
  host: string,
  { seconds, method, route, status }: { route: string; method: string; status: number; seconds: number },
): void {
  requests?.observe({ host, method, route, status: String(status) }, seconds)
}

/** Prometheus reads an address of its own, which no public host shows. */
export async function startMetrics(
  address: { host: string; port: number },
  { db }: Pick<Platform, 'db'>,
): Promise<{ stop(): Promise<void> }> {
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  requests = new Histogram({
    name: 'keystall_request_seconds',
    help: 'Time from request to answer.',
    labelNames: ['host', 'method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  jobs = new Histogram({
    name: 'keystall_job_seconds',
    help: 'Time that a job took.',
    labelNames: ['queue', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60],
    registers: [registry],
  })
  const waiting = new Gauge({
    name: 'keystall_jobs',
    help: 'Jobs that are due and wait, that are under way, and that have failed for good.',
    labelNames: ['state'],
    registers: [registry],
    collect: async () => {
      for (const [state, count] of Object.entries(await countJobs(db))) waiting.set({ state }, count)
    },
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

async function countJobs(db: Platform['db']): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select count(*) filter (where failed_at is null and lease is null and run_at <= now())::int as due,
           count(*) filter (where failed_at is null and lease is not null)::int as working,
           count(*) filter (where failed_at is not null)::int as failed
    from jobs
  `.execute(db)
  return rows[0] ?? {}
}
