/** By the machine's clock, in milliseconds. */
export interface Span {
  from: number
  to: number
}

/** What lies in both; each list is in order and overlaps itself nowhere. */
export function inBoth(some: readonly Span[], others: readonly Span[]): Span[] {
  return some.flatMap((one) =>
    others
      .map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }))
      .filter(({ from, to }) => from < to),
  )
}

export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0)
}
