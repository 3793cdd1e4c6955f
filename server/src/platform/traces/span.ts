export type SpanKind = 'server' | 'client' | 'internal'
export type Attributes = Readonly<Record<string, string | number>>

/** A piece of work that takes time, and the work it is part of. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly kind: SpanKind
  readonly startedAtMs: number
}

export interface EndedSpan extends Span {
  readonly name: string
  readonly attributes: Attributes
  readonly isFailed: boolean
  readonly endedAtMs: number
}
