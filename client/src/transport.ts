import { KeystallFailure } from './failure.ts'
import { Pages } from './pages.ts'
import { canTryAgain, pauseSeconds, sleep } from './retry.ts'

export interface ClientOptions {
  /** The address of the API, such as `https://api.example.com`. */
  baseUrl: string
  /** Sent as a bearer token; public endpoints and the buyer's work without. */
  apiKey?: string
  /** How often a call that may be repeated is tried again; 3 when left out, 0 for never. */
  retries?: number
  /** How long one try may take, uploads and downloads apart; 60 when left out. */
  timeoutSeconds?: number
  fetch?: typeof fetch
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>>
}

export interface CallOptions {
  signal?: AbortSignal
  /** Names this request over all tries; one is made up when left out. */
  idempotencyKey?: string
  headers?: Readonly<Record<string, string>>
}

/** An endpoint, as far as sending needs it. Printed from the contract. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: readonly string[]
  /** Request headers by the name of their input. */
  headers?: Readonly<Record<string, string>>
  sends?: 'body' | 'image' | 'file'
  answers: 'data' | 'whole' | 'nothing' | 'bytes'
  isIdempotent?: true
  /** A GET that must not be repeated. */
  hasEffect?: true
}

export type Input = Readonly<Record<string, unknown>>

export class Transport {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') }
  }

  /** Calls, tries again where that is safe, and answers what the envelope holds. */
  async call<Reply>(endpoint: Endpoint, input: object = {}, options: CallOptions = {}): Promise<Reply> {
    const { retries = 3 } = this.#options
    const url = this.#options.baseUrl + addressOf(endpoint, { ...input })
    const headers = this.#headersOf(endpoint, { ...input }, options)
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await this.#send(url, endpoint, { ...input }, headers, options)
        return (await readAnswer(endpoint, answer, options)) as Reply
      } catch (error) {
        const isLast = tries > retries || options.signal?.aborted === true
        if (isLast || !(error instanceof KeystallFailure) || !canTryAgain(endpoint, error)) throw error
        await sleep(pauseSeconds(error, tries), options.signal)
      }
    }
  }

  /** One page when awaited; everything, page after page, in a `for await`. */
  pages<Item, Page extends { pages: number; data: Item[] }>(
    endpoint: Endpoint,
    input: object,
    options: CallOptions = {},
  ): Pages<Item, Page> {
    const first = Number(Object(input)['page'] ?? 1)
    return new Pages(first, (page) => this.call<Page>(endpoint, { ...input, page }, options))
  }

  #headersOf(endpoint: Endpoint, input: Input, { idempotencyKey, headers }: CallOptions): Record<string, string> {
    const named = Object.entries(endpoint.headers ?? {}).flatMap(([field, name]) =>
      input[field] === undefined || input[field] === null ? [] : [[name, String(input[field])] as const],
    )
    return {
      ...this.#options.headers,
      ...(this.#options.apiKey === undefined ? {} : { Authorization: `Bearer ${this.#options.apiKey}` }),
      ...(endpoint.sends === 'body' ? { 'Content-Type': 'application/json' } : {}),
      ...(endpoint.isIdempotent ? { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() } : {}),
      ...Object.fromEntries(named),
      ...headers,
    }
  }

  async #send(
    url: string,
    endpoint: Endpoint,
    input: Input,
    headers: Record<string, string>,
    { signal }: CallOptions,
  ): Promise<Response> {
    // A form whose sending is over before it began would be read on for nobody.
    signal?.throwIfAborted()
    const send = this.#options.fetch ?? fetch
    const body = bodyOf(endpoint, input)
    const isLong = body instanceof FormData || endpoint.answers === 'bytes'
    const limit = isLong ? undefined : AbortSignal.timeout((this.#options.timeoutSeconds ?? 60) * 1000)
    const signals = [signal, limit].filter((each) => each !== undefined)
    const answer = await send(url, {
      method: endpoint.method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
    }).catch((cause: unknown) => unanswered(cause, signal))
    if (!answer.ok) throw await refusalOf(answer)
    return answer
  }
}

function addressOf({ path, query = [], method }: Endpoint, input: Input): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, token: string) => {
    const value = input[token]
    if (value === undefined || value === null || value === '') {
      throw new TypeError(`${method} ${path} needs ${token}`)
    }
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  for (const name of query) {
    if (input[name] !== undefined && input[name] !== null) search.set(name, String(input[name]))
  }
  return search.size === 0 ? filled : `${filled}?${search}`
}

function bodyOf({ sends }: Endpoint, input: Input): string | FormData | undefined {
  if (sends === undefined) return undefined
  if (sends === 'body') return JSON.stringify(input['body'] ?? {})
  const part = input[sends]
  if (!(part instanceof Blob)) throw new TypeError(`${sends} must be a Blob or a File`)
  const form = new FormData()
  form.set(sends, part, part instanceof File ? part.name : sends)
  return form
}

async function readAnswer({ answers }: Endpoint, answer: Response, { signal }: CallOptions): Promise<unknown> {
  if (answers === 'bytes') return answer
  const text = await answer.text().catch((cause: unknown) => unanswered(cause, signal))
  if (answers === 'nothing') return undefined
  try {
    const reply: unknown = JSON.parse(text)
    return answers === 'data' ? Object(reply)['data'] : reply
  } catch (cause) {
    throw new KeystallFailure(answer.status, {}, { cause })
  }
}

/** Who gave up is told so in their own words; everything else means that no answer arrived whole. */
function unanswered(cause: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted) throw cause
  const { cause: deeper, message } = Object(cause)
  const why: unknown = Object(deeper)['code'] ?? message
  throw new KeystallFailure(0, { message: `There was no answer that could be read: ${why}` }, { cause })
}

async function refusalOf(answer: Response): Promise<KeystallFailure> {
  const told: unknown = await answer.json().catch(() => undefined)
  const retryAfterSeconds = secondsOf(answer.headers.get('retry-after'))
  return new KeystallFailure(answer.status, Object(told), retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
}

/** Seconds, or a date: proxies write either. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
