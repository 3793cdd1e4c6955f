import { beginSpan, endSpan } from '#platform/traces/traces'

const textCharactersMax = 2000

/** Told of every statement that takes longer than somebody wants to wait. */
interface SlowWatch {
  afterMs: number
  tell: (slow: { ms: number; statement: string }) => void
}

let slowWatch: SlowWatch | undefined

export function watchSlowStatements(watch: SlowWatch): void {
  slowWatch = watch.afterMs > 0 ? watch : undefined
}

/** Runs a statement and notes how long it took: its text, never its values. */
export async function watched<T>(text: string, run: () => Promise<T>): Promise<T> {
  const span = beginSpan('client')
  const beganAt = performance.now()
  let isFailed = true
  try {
    const result = await run()
    isFailed = false
    return result
  } finally {
    const ms = performance.now() - beganAt
    if (slowWatch && ms >= slowWatch.afterMs) slowWatch.tell({ ms: Math.round(ms), statement: shortened(text) })
    if (span) {
      const [verb = 'statement'] = /^\w+/.exec(text.trim()) ?? []
      endSpan(span, verb.toLowerCase(), { 'db.system.name': 'postgresql', 'db.query.text': shortened(text) }, isFailed)
    }
  }
}

function shortened(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, textCharactersMax)
}
