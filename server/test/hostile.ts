import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { badInputsFor } from './bad-input.ts'
import type { Furnished } from './furnished.ts'
import type { Look } from './checksum.ts'
import type { Asking, Credentials, Heard, Line } from './line.ts'

/** Who asks, by what an endpoint wants to see. */
export interface People {
  seller: Required<Pick<Credentials, 'apiKey' | 'cookie'>>
  staff: { cookie: string }
}

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
}

export interface Trial {
  name: string
  kind: string
  asking: () => Asking
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
  furnished: Furnished,
): Trial[] {
  const inputs = badInputsFor(line.address, endpoint, furnished, credentialsFor(endpoint, people, furnished))
  return [...inputs].map(({ kind, asking }) => ({ name, kind, asking }))
}

/** The same numbers from the same seed. */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** So many of them, the good request always among them. */
export function someOf<T>(all: readonly T[], count: number, random: () => number): T[] {
  const [first, ...rest] = all
  if (first === undefined || all.length <= count) return [...all]
  const chosen = rest.map((each) => ({ each, at: random() })).toSorted((one, other) => one.at - other.at)
  return [first, ...chosen.slice(0, count - 1).map(({ each }) => each)]
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

const atOnce = 8

async function refusedOf(line: Line, trials: readonly Trial[], tally: Tally): Promise<Trial[]> {
  const refused: Trial[] = []
  for (let first = 0; first < trials.length; first += atOnce) {
    const some = trials.slice(first, first + atOnce)
    const heard = await Promise.all(
      some.map(({ asking }) => line.ask(asking()).catch((error: unknown) => String(error))),
    )
    for (const [index, trial] of some.entries()) {
      const answer = heard[index] ?? ''
      note(tally, trial, answer)
      if (typeof answer !== 'string' && answer.status >= 400) refused.push(trial)
    }
  }
  return refused
}

function note(tally: Tally, trial: Trial, heard: Heard | string): void {
  tally.cases += 1
  const complaint = typeof heard === 'string' ? heard : complaintAbout(heard)
  if (complaint !== undefined) tally.wrong.push(`${told(trial)}: ${complaint}`)
  if (typeof heard === 'string') return
  if (heard.ms > tally.slowestMs) Object.assign(tally, { slowestMs: heard.ms, slowest: told(trial) })
  if (heard.ms > 1000) tally.slow.push(`${Math.round(heard.ms)} ms ${told(trial)}`)
  if (heard.status < 400) tally.taken += 1
  else tally.refused += 1
}

export function newTally(): Tally {
  return { cases: 0, taken: 0, refused: 0, wrong: [], changes: [], beside: [], slow: [], slowestMs: 0, slowest: '' }
}

export function told({ name, kind }: Trial): string {
  return `${name}: ${kind}`
}

/** A documented success, or a refusal in the one shape that all have. */
export function complaintAbout({ status, headers, text }: Heard): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 200)}`
  if (status < 400) return undefined
  if (text === '' && status === 431) return undefined
  try {
    const body = Object(JSON.parse(text))
    const isWhole =
      body.success === false &&
      body.data === null &&
      typeof body.message === 'string' &&
      typeof body.code === 'string' &&
      body.requestId === headers['x-request-id'] &&
      (body.code !== 'ValidationError' || Array.isArray(body.invalidFields))
    return isWhole ? undefined : `${status} in another shape: ${text.slice(0, 200)}`
  } catch {
    return `${status} and no JSON: ${text.slice(0, 200)}`
  }
}
