import { inBoth, lengthOf, type Span } from './span.ts'

export interface Waits {
  p99: number
  longest: number
}

/**
 * How long anybody would have waited who asks at any time. Who asks one thing after the other asks nothing while they
 * wait, so that a server that stands still for seconds is noticed once by each of them: whoever would have come
 * meanwhile, after the usual pause, is counted with what was left of it. While the machine stood still nobody waited.
 */
export function waitsOf(asked: readonly Span[], everyMs: number, standstills: readonly Span[]): Waits {
  const waits = asked
    .flatMap((span) => {
      const whole = span.to - span.from - lengthOf(inBoth([span], standstills))
      return Array.from({ length: Math.max(1, Math.ceil(whole / everyMs)) }, (_, index) => whole - index * everyMs)
    })
    .toSorted((one, other) => one - other)
  return { p99: waits[Math.min(waits.length - 1, Math.floor(waits.length * 0.99))] ?? 0, longest: waits.at(-1) ?? 0 }
}
