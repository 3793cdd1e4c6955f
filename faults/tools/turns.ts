import type { Said } from './socket.ts'

export const atOnce = 8

/** In turns of a few at once, each on a connection of its own. */
export async function each(count: number, one: (index: number) => Promise<Said>, expected: (said: Said) => boolean) {
  const wrong: string[] = []
  const seen = new Map<string, number>()
  for (let first = 0; first < count; first += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => one(first + index))
    for (const said of await Promise.all(some)) {
      const statuses = said.statuses.join(' ') || (said.isClosed ? 'closed' : 'silence')
      seen.set(statuses, (seen.get(statuses) ?? 0) + 1)
      if (!expected(said)) wrong.push(`${statuses.slice(0, 100)}: ${said.text.slice(0, 200)}`)
    }
  }
  return { times: count, wrong, note: [...seen].map(([statuses, times]) => `${times} × ${statuses}`).join(', ') }
}

export const only =
  (...statuses: number[]) =>
  (said: Said) =>
    said.statuses.length === 1 && statuses.includes(said.statuses[0] ?? 0) && said.isClosed
