import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { complaintAbout } from './complaints.ts'
import type { Heard } from './line.ts'
import { appliesTo, type Sort, sorts } from './sorts.ts'
import { told, type Trial } from './trial.ts'

export interface Tally {
  cases: number
  taken: number
  refused: number
  /** Answers that nobody should get: a failure of ours, a wrong shape, none at all. */
  wrong: string[]
  /** Refusals after which a table was not as before. */
  changes: string[]
  /** Tables that changed while refusals were asked for, though none of them does it alone: work of what was taken before. */
  beside: string[]
  /** Over a second. */
  slow: string[]
  slowestMs: number
  slowest: string
  /** All that were sent, each once. */
  distinct: Set<string>
}

export function newTally(): Tally {
  return {
    ...{ cases: 0, taken: 0, refused: 0, wrong: [], changes: [], beside: [], slow: [], slowestMs: 0, slowest: '' },
    distinct: new Set(),
  }
}

export function together(tallies: readonly Tally[]): Tally {
  const all = newTally()
  for (const { cases, taken, refused, wrong, changes, beside, slow, slowestMs, slowest, distinct } of tallies) {
    all.cases += cases
    all.taken += taken
    all.refused += refused
    all.wrong.push(...wrong)
    all.changes.push(...changes)
    all.beside.push(...beside)
    all.slow.push(...slow)
    if (slowestMs > all.slowestMs) Object.assign(all, { slowestMs, slowest })
    for (const each of distinct) all.distinct.add(each)
  }
  return all
}

export function note(tally: Tally, trial: Trial, heard: Heard[] | string): void {
  tally.cases += 1
  tally.distinct.add(told(trial))
  const complaint = typeof heard === 'string' ? heard : complaintAbout(trial, heard)
  if (complaint !== undefined) tally.wrong.push(`${told(trial)}: ${complaint}`)
  if (typeof heard === 'string') return
  const ms = Math.max(0, ...heard.map((each) => each.ms))
  if (ms > tally.slowestMs) Object.assign(tally, { slowestMs: ms, slowest: told(trial) })
  if (ms > 1000) tally.slow.push(`${Math.round(ms)} ms ${told(trial)}`)
  if (isRefused(heard)) tally.refused += 1
  else tally.taken += 1
}

/** By every answer, where there are several. */
export function isRefused(heard: Heard[] | string): boolean {
  return typeof heard !== 'string' && heard.every(({ status }) => status >= 400)
}

/** Endpoints to which a class was not sent that must be tried there. */
export function leftOut({ distinct }: Tally): string[] {
  const sent = new Set([...distinct].map((each) => each.split(', ', 1)[0]))
  return Object.entries<Endpoint>(endpoints).flatMap(([name, endpoint]) =>
    sorts
      .filter((sort) => appliesTo[sort](endpoint) && !sent.has(`${name}: ${sort}`))
      .map((sort) => `${name}: ${sort}`),
  )
}

/** How many were sent of each class. */
export function countsIn({ distinct }: Tally): [Sort, number][] {
  const counts = new Map<string, number>()
  for (const each of distinct) {
    const sort = each.slice(each.indexOf(': ') + 2).split(', ', 1)[0] ?? ''
    counts.set(sort, (counts.get(sort) ?? 0) + 1)
  }
  return sorts.map((sort) => [sort, counts.get(sort) ?? 0])
}
