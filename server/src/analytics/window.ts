const dayMs = 24 * 60 * 60 * 1000

/** The time that analytics look at, and the time of the same length before it. Days are UTC days, as `2030-01-31`. */
export interface Window {
  /** Exactly so many times 24 hours before now. */
  from: Date
  /** The day on which it begins, somewhere within. */
  firstDay: string
  today: string
  before: { from: Date; firstDay: string }
}

export function windowOf(days: number, now: Date): Window {
  const from = new Date(now.getTime() - days * dayMs)
  const fromBefore = new Date(from.getTime() - days * dayMs)
  return {
    from,
    firstDay: dayOf(from),
    today: dayOf(now),
    before: { from: fromBefore, firstDay: dayOf(fromBefore) },
  }
}

/** One side of the moment at which a window begins, within its first day. */
export interface Side {
  start: Date
  end: Date
  /** Whether it lies before the window: then the window's part of the day is the rest. */
  isOutside: boolean
}

/** The shorter side: the fewer orders there are to read. */
export function shorterSide({ from, firstDay }: { from: Date; firstDay: string }): Side {
  const [start, end] = [midnightOf(firstDay), midnightOf(dayAfter(firstDay))]
  const isOutside = from.getTime() - start.getTime() < end.getTime() - from.getTime()
  return isOutside ? { start, end: from, isOutside } : { start: from, end, isOutside }
}

/** `30d` is 30; the contract has checked the text. */
export function daysIn(timeStr: string): number {
  return Number.parseInt(timeStr, 10)
}

/** Every day that the window touches, the first and today included. */
export function daysOf({ firstDay, today }: Pick<Window, 'firstDay' | 'today'>): string[] {
  const first = Date.parse(firstDay)
  return Array.from({ length: countDays({ firstDay, today }) }, (_, index) => dayOf(new Date(first + index * dayMs)))
}

export function countDays({ firstDay, today }: Pick<Window, 'firstDay' | 'today'>): number {
  return (Date.parse(today) - Date.parse(firstDay)) / dayMs + 1
}

export function dayAfter(day: string, days = 1): string {
  return dayOf(new Date(Date.parse(day) + days * dayMs))
}

export function midnightOf(day: string): Date {
  return new Date(Date.parse(day))
}

/** The first day of the month after. */
export function nextMonthAfter(day: string): string {
  const date = midnightOf(day)
  return dayOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)))
}

/** In percent, to two decimals: 100 when there was nothing before and there is something now, 0 when there is neither. */
export function changeOf(now: number, before: number): number {
  if (before === 0) return now === 0 ? 0 : 100
  return Math.round(((now - before) / before) * 10_000) / 100
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
