import { worthOf } from './amounts.ts'

export interface Counted {
  units: string
  /** The price it is counted by. */
  due: { number: number; dueMinor: number; amountUnits: string }
  /** What the order was told of it before; null when nothing yet. */
  toldMinor: number | null
}

/**
 * What the order is now told of each payment that it does not know: never more, in all, than what is there. Money that
 * an order was told of and that the chain then lost is made up for by later payments first. `lostMinor` is what is
 * missing after all.
 */
export function tally<T extends Counted>(
  confirmed: readonly T[],
  toldOfLostMinor: number,
  dustUnits = 0n,
): { news: { payment: T; tellMinor: number }[]; lostMinor: number } {
  const unitsByDue = new Map<number, bigint>()
  const news: { payment: T; tellMinor: number }[] = []
  let told = toldOfLostMinor + confirmed.reduce((sum, { toldMinor }) => sum + (toldMinor ?? 0), 0)
  let worth = 0
  for (const payment of confirmed) {
    const before = unitsByDue.get(payment.due.number) ?? 0n
    const after = before + BigInt(payment.units)
    unitsByDue.set(payment.due.number, after)
    // Of both together, so that two halves are a whole to the last cent.
    worth += worthOf(after, payment.due, dustUnits) - worthOf(before, payment.due, dustUnits)
    if (payment.toldMinor !== null) continue
    const tellMinor = Math.max(0, worth - told)
    told += tellMinor
    news.push({ payment, tellMinor })
  }
  return { news, lostMinor: Math.max(0, told - worth) }
}
