import type { Heard } from './calm.ts'

/** Half a hundredth of the time: who waited while a processor stood still for longer may have waited for the machine. */
const keptShareMax = 0.005
/** So many times as long as in calm seconds others may wait. */
const timesMax = 3

/** Whether the machine went on meanwhile, as far as that can be told. */
export function isFit({ mostKept = 0, lastedMs }: Heard): boolean {
  return mostKept <= keptShareMax * lastedMs
}

/** One measure, and the p99 of calm seconds about it. */
export interface Told {
  heard: Heard
  usual: number
}

function isWithin({ heard, usual }: Told): boolean {
  return heard.p99 <= timesMax * usual
}

/**
 * What is to be thought of all that was told of one abuse, one measure after the other, the newest last. A machine that
 * stands still only ever makes people wait longer, so that what holds in spite of it holds; what does not is measured anew,
 * until the machine goes on, or more measures have held than have not: one alone among many would be luck.
 */
export function thoughtOf(measures: readonly Told[]): 'holds' | 'fails' | 'doubtful' {
  const newest = measures.at(-1)
  const held = measures.filter(isWithin).length
  if (newest && isFit(newest.heard)) return isWithin(newest) ? 'holds' : 'fails'
  return 2 * held > measures.length ? 'holds' : 'doubtful'
}
