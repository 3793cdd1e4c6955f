import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { badInputsFor, type Elsewhere } from './bad-input.ts'
import type { Look } from './checksum.ts'
import { shuffled } from './dice.ts'
import type { Furnished } from './furnished.ts'
import type { Credentials, Line } from './line.ts'
import { sorts } from './sorts.ts'
import { isRefused, note, type Tally } from './tally.ts'
import { told, type Trial } from './trial.ts'

/** Who asks, by what an endpoint wants to see. */
export interface People {
  seller: Required<Pick<Credentials, 'apiKey' | 'cookie'>>
  staff: { cookie: string }
}

export function credentialsFor({ access }: Endpoint, { seller, staff }: People, { orderKey }: Furnished): Credentials {
  switch (access) {
    case 'public':
    case 'guest':
      return {}
    case 'order':
      return { orderKey }
    case 'session':
      return { cookie: seller.cookie }
    case 'staff':
      return staff
    default:
      return { apiKey: seller.apiKey }
  }
}

/** After these nobody is as before. */
export const lastOfAll: readonly string[] = [
  'signOut',
  'endSession',
  'endOtherSessions',
  'changePassword',
  'deleteApp',
  'leaveStore',
  'disableUser',
]

/** What is read comes first, then what is made and changed, then what is taken away. */
export function endpointsInOrder(): [string, Endpoint][] {
  const rank = (name: string, { method }: Endpoint) =>
    lastOfAll.includes(name) ? 9 + lastOfAll.indexOf(name) : ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].indexOf(method)
  return Object.entries<Endpoint>(endpoints).toSorted((one, other) => rank(...one) - rank(...other))
}

export function trialsOf(
  line: Line,
  [name, endpoint]: [string, Endpoint],
  people: People,
  things: { furnished: Furnished; elsewhere?: Elsewhere },
): Trial[] {
  const inputs = badInputsFor(line.address, endpoint, things, credentialsFor(endpoint, people, things.furnished))
  return [...inputs].map((input) => ({ ...input, name, endpoint }))
}

/** So many of them, the good request always among them. */
export function someOf<T>(all: readonly T[], count: number, random: () => number): T[] {
  const [first, ...rest] = all
  if (first === undefined || all.length <= count) return [...all]
  return [first, ...shuffled(rest, random).slice(0, count - 1)]
}

/** One of each class, then another of each, and so on, as the dice decide within a class. */
export function inRounds(trials: readonly Trial[], random: () => number): Trial[] {
  const bySort = Map.groupBy(trials, ({ sort }) => sort)
  const numbered = [...bySort.values()].flatMap((some) =>
    shuffled(some, random).map((trial, round) => ({ trial, round })),
  )
  return numbered.toSorted((one, other) => one.round - other.round).map(({ trial }) => trial)
}

/** What may be taken comes last. */
export function inOrder(trials: readonly Trial[]): Trial[] {
  return trials.toSorted((one, other) => sorts.indexOf(one.sort) - sorts.indexOf(other.sort))
}

/**
 * Asks a few at a time. What was refused is asked again, by itself: then no table may change. What is taken the
 * second time, because something else had changed meanwhile, is left out and the rest is asked once more.
 */
export async function tryAll(line: Line, trials: readonly Trial[], tally: Tally, look: Look): Promise<void> {
  let refused = await refusedOf(line, trials, tally)
  for (let round = 0; round < 3 && refused.length > 0; round += 1) {
    let again: Trial[] = []
    const asked = refused
    const changed = await changedBy(look, async () => {
      again = await refusedOf(line, asked, tally)
    })
    if (changed.length === 0) return
    if (again.length === refused.length) {
      await blame(line, refused, { tally, look, changed })
      return
    }
    refused = again
  }
}

/** Each by itself, so that who did it is named. Where none does, it was something else. */
async function blame(
  line: Line,
  refused: readonly Trial[],
  { tally, look, changed }: { tally: Tally; look: Look; changed: readonly string[] },
): Promise<void> {
  let isFound = false
  for (const trial of refused) {
    // Twice, so that what else happened at that moment is not laid at its door.
    const tables = await changedBy(look, () => refusedOf(line, [trial], tally))
    if (tables.length === 0) continue
    const again = await changedBy(look, () => refusedOf(line, [trial], tally))
    if (again.length === 0) continue
    isFound = true
    tally.changes.push(`${again.join(', ')} by ${told(trial)}`)
  }
  if (!isFound) tally.beside.push(`${changed.join(', ')} beside ${refused[0]?.name ?? ''}`)
}

/** What changes by itself is over before and after. */
async function changedBy(look: Look, work: () => Promise<unknown>): Promise<string[]> {
  const before = await look()
  await work()
  const after = await look()
  return Object.keys(after).filter((table) => after[table] !== before[table])
}

/** Asks a few at a time, and answers those that were refused. */
export async function refusedOf(line: Line, trials: readonly Trial[], tally: Tally, atOnce = 8): Promise<Trial[]> {
  const refused: Trial[] = []
  for (let first = 0; first < trials.length; first += atOnce) {
    const some = trials.slice(first, first + atOnce)
    const heard = await Promise.all(some.map(({ send }) => send(line).catch((error: unknown) => String(error))))
    for (const [index, trial] of some.entries()) {
      const answers = heard[index] ?? ''
      note(tally, trial, answers)
      if (isRefused(answers)) refused.push(trial)
    }
  }
  return refused
}
