import type { Tx } from './database.ts'

/** What is done once a transaction has ended, each thing once. */
const waitingBy = new WeakMap<Tx, Set<() => void>>()

/** From here on it is kept; `tellEnded` must follow. */
export function keepForEnd(tx: Tx): void {
  waitingBy.set(tx, new Set())
}

/** At once where nobody keeps it. Whoever is told looks for themselves: a commit whose answer was lost counts, too. */
export function afterCommit(tx: Tx, tell: () => void): void {
  const waiting = waitingBy.get(tx)
  if (waiting) waiting.add(tell)
  else tell()
}

export function tellEnded(tx: Tx): void {
  for (const tell of waitingBy.get(tx) ?? []) tell()
  waitingBy.delete(tx)
}
