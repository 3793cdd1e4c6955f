import type { Attributes, EndedSpan, SpanKind } from './span.ts'

const sendEveryMs = 2000
const spansAtOnce = 512
/** While the collector is away the newest are left out, rather than fill the memory. */
const waitingMax = 8192
const timeoutMs = 5000

export interface Exporter {
  add(span: EndedSpan): void
  /** Sends what waits. */
  stop(): Promise<void>
}

/** OTLP over HTTP with JSON, which every OpenTelemetry collector takes; small enough not to need its libraries. */
export function createExporter({ url, onTrouble }: { url: URL; onTrouble: (error: unknown) => void }): Exporter {
  const target = new URL(`${url.pathname.replace(/\/$/, '')}/v1/traces`, url)
  let waiting: EndedSpan[] = []
  let sending = Promise.resolve()
  const timer = setInterval(flush, sendEveryMs)
  timer.unref()

  function flush(): void {
    if (waiting.length === 0) return
    const spans = waiting
    waiting = []
    sending = sending.then(() => send(target, spans)).catch(onTrouble)
  }

  return {
    add(span) {
      if (waiting.length >= waitingMax) return
      waiting.push(span)
      if (waiting.length === spansAtOnce) flush()
    },
    stop: async () => {
      clearInterval(timer)
      flush()
      await sending
    },
  }
}

async function send(target: URL, spans: EndedSpan[]): Promise<void> {
  const resource = { attributes: attributesOf({ 'service.name': 'keystall' }) }
  const scopeSpans = [{ scope: { name: 'keystall' }, spans: spans.map(printed) }]
  const answer = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the collector answered ${answer.status}`)
}

const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3 }

function printed(span: EndedSpan) {
  const { traceId, spanId, parentSpanId, kind, name, attributes, isFailed, startedAtMs, endedAtMs } = span
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startedAtMs),
    endTimeUnixNano: nanoseconds(endedAtMs),
    attributes: attributesOf(attributes),
    status: isFailed ? { code: 2 } : {},
  }
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n)
}

function attributesOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
  }))
}
