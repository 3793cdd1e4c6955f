import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CallFailure, createClient } from '../../contract/src/client.ts'

/** Of all requests of a load: how long each waited, what it was told, and when work was acknowledged again. */
export interface Requests {
  client(port: () => number, headers?: Record<string, string>): ReturnType<typeof createClient>
  /** The longest wait of those that ended since it was last asked. */
  takeLongestWait(): Wait
  /** Those that ended without any answer since it was last asked. */
  takeUnanswered(): string[]
  /** How many were told 503 and when to come again. */
  readonly refused: number
  /** Answers that nobody should get, by what they are. */
  readonly unexpected: Map<string, number>
  /** Resolves with the moment of the first good answer to a request that was sent after this moment. */
  goodAfter(moment: number): Promise<number>
}

export interface Wait {
  ms: number
  /** Which request it was, and its answer. */
  what: string
}

/** Nobody waits longer for an answer. */
const patienceMs = 45_000
/** Of a client that tries again. */
const pauseMs = 20
/** Longer than any fault lasts. */
const triesEndMs = 700_000

export function watchRequests(): Requests {
  const unexpected = new Map<string, number>()
  const waiting = new Set<{ moment: number; resolve: (at: number) => void }>()
  let longest: Wait = { ms: 0, what: '' }
  let unanswered: string[] = []
  let refused = 0

  function note(what: string): void {
    unexpected.set(what, (unexpected.get(what) ?? 0) + 1)
  }

  function good(began: number): void {
    for (const each of waiting) {
      if (began < each.moment) continue
      waiting.delete(each)
      each.resolve(performance.now())
    }
  }

  async function observed(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    const began = performance.now()
    const { pathname } = new URL(String(input))
    const route = `${init?.method ?? 'GET'} ${pathname.replaceAll(/[0-9a-f-]{36}/g, '…')}`
    let status = ''
    try {
      const answer = await fetch(input, { ...init, signal: AbortSignal.timeout(patienceMs) })
      status = String(answer.status)
      if (answer.ok) good(began)
      if (answer.status === 503 && answer.headers.has('retry-after')) refused += 1
      else if (answer.status === 503) note(`${route} answered 503 without Retry-After`)
      if (answer.status >= 500 && answer.status !== 503) note(`${route} answered ${answer.status}`)
      return answer
    } finally {
      const ms = performance.now() - began
      if (ms > longest.ms) longest = { ms, what: `${route}, ${status || 'no answer'}` }
      if (status === '') unanswered.push(route)
    }
  }

  return {
    client: (port, headers = {}) => {
      const make = (at: number) => createClient({ baseUrl: `http://localhost:${at}`, fetch: observed, headers })
      return (endpoint, ...input) => make(port())(endpoint, ...input)
    },
    takeLongestWait() {
      const taken = longest
      longest = { ms: 0, what: '' }
      return taken
    },
    takeUnanswered() {
      const taken = unanswered
      unanswered = []
      return taken
    },
    get refused() {
      return refused
    },
    unexpected,
    goodAfter: (moment) => new Promise((resolve) => waiting.add({ moment, resolve })),
  }
}

/** Nobody there, just starting, away, or the same request is still under way: it may be asked again. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof CallFailure)) return error instanceof TypeError || Object(error).name === 'TimeoutError'
  return error.code === 'Unreachable' || error.status === 409 || error.status === 503
}

/** Tries under one Idempotency-Key until it is answered. */
export async function answered<T>(request: (headers: Record<string, string>) => Promise<T>): Promise<T> {
  const headers = { 'idempotency-key': randomUUID() }
  const until = performance.now() + triesEndMs
  for (;;) {
    try {
      return await request(headers)
    } catch (error) {
      if (!isPassing(error) || performance.now() > until) throw error
      await sleep(pauseMs)
    }
  }
}
