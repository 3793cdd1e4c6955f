import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { createExporter, type Exporter } from './exporter.ts'
import type { Attributes, Span, SpanKind } from './span.ts'

const current = new AsyncLocalStorage<Span>()

/** Undefined until somebody wants traces: then nothing is noted, and work costs what it costs. */
let exporter: Exporter | undefined

export function startTraces(options: Parameters<typeof createExporter>[0]): { stop(): Promise<void> } {
  const started = createExporter(options)
  exporter = started
  return {
    stop: async () => {
      exporter = undefined
      await started.stop()
    },
  }
}

/**
 * A request is part of its caller's span, by its `traceparent`, whoever gave it its turn; anything else of the span under
 * way; else it is the first of its trace.
 */
export function beginSpan(kind: SpanKind, traceparent?: string | string[]): Span | undefined {
  if (!exporter) return undefined
  const [, traceId, callerId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(String(traceparent)) ?? []
  const parent = kind === 'server' ? undefined : current.getStore()
  return {
    traceId: parent?.traceId ?? traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    parentSpanId: parent?.spanId ?? callerId,
    kind,
    startedAtMs: performance.timeOrigin + performance.now(),
  }
}

/** What the work begins is part of the span. */
export function within<T>(span: Span | undefined, work: () => T): T {
  return span ? current.run(span, work) : work()
}

export function requestAttributes(method: string, route: string, status: number): Attributes {
  return { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status }
}

/** No address, no value of a statement: only what a log would show as well. */
export function endSpan(span: Span | undefined, name: string, attributes: Attributes, isFailed = false): void {
  if (!span || !exporter) return
  exporter.add({ ...span, name, attributes, isFailed, endedAtMs: performance.timeOrigin + performance.now() })
}
