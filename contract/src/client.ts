import type { BodyOf, Endpoint, QueryOf, ReplyOf, TokensOf, Upload } from './endpoint.ts'
import type { Failure, FailureCode } from './envelope.ts'

/** What a call needs: only what its endpoint asks for, and nothing else. */
export type Input<E extends Endpoint> = PathInput<E> & QueryInput<E> & BodyInput<E> & UploadInput<E> & CallOptions

/** Calls an endpoint and answers its reply; a failure is thrown as a `CallFailure`. */
export type Call = <const E extends Endpoint>(endpoint: E, ...input: InputArguments<E>) => Promise<Reply<E>>

export interface ClientOptions {
  /** The API's address, or the dashboard's with its `/api`. */
  baseUrl: string
  fetch?: typeof fetch
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>>
}

interface CallOptions {
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

type PathInput<E extends Endpoint> = [TokensOf<E['path']>] extends [never]
  ? unknown
  : { path: { readonly [Token in TokensOf<E['path']>]: string | number } }

type QueryInput<E extends Endpoint> = QueryOf<E> extends undefined ? unknown : { query?: QueryOf<E> }

type BodyInput<E extends Endpoint> =
  BodyOf<E> extends undefined ? unknown : object extends BodyOf<E> ? { body?: BodyOf<E> } : { body: BodyOf<E> }

type UploadInput<E extends Endpoint> = E extends { readonly upload: Upload } ? { upload: FormData | Blob } : unknown

type InputArguments<E extends Endpoint> = object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

type Reply<E extends Endpoint> = E extends { readonly reply: 'bytes' } ? Blob : ReplyOf<E>

/** The API's refusal, or `code: 'Unreachable'` when there was no answer that could be read. */
export class CallFailure extends Error {
  readonly status: number
  readonly code: FailureCode | 'Unreachable'
  readonly invalidFields: readonly { fieldName: string; reason: string }[]
  readonly requestId: string | undefined

  constructor(status: number, failure: Partial<Failure>, cause?: unknown) {
    super(failure.message ?? 'There was no answer. Check the connection and try again.', { cause })
    this.name = 'CallFailure'
    this.status = status
    this.code = failure.code ?? 'Unreachable'
    this.invalidFields = failure.invalidFields ?? []
    this.requestId = failure.requestId
  }
}

export function createClient({ baseUrl, fetch: send = fetch, headers: shared = {} }: ClientOptions): Call {
  return async (endpoint, ...[input]) => {
    const given: AnyInput = input ?? {}
    const answer = await send(baseUrl + addressOf(endpoint, given), requestOf(endpoint, given, shared)).catch(
      unreachable,
    )
    if (!answer.ok) throw await refusalOf(answer)
    return (await readReply(endpoint, answer)) as Reply<typeof endpoint>
  }
}

/** What every input looks like once the endpoint's type no longer matters. */
interface AnyInput extends CallOptions {
  path?: Readonly<Record<string, string | number>>
  query?: unknown
  body?: unknown
  upload?: FormData | Blob
}

/** The path and query of a call, each part encoded. */
export function addressOf(endpoint: Endpoint, input: Pick<AnyInput, 'path' | 'query'>): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, token: string) => {
    const value = input.path?.[token]
    if (value === undefined) throw new TypeError(`${endpoint.method} ${endpoint.path} needs ${token}`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return query.size === 0 ? path : `${path}?${query}`
}

function requestOf(endpoint: Endpoint, input: AnyInput, shared: Readonly<Record<string, string>>): RequestInit {
  const isJson = endpoint.body !== undefined && endpoint.upload === undefined
  const body = isJson ? JSON.stringify(input.body ?? {}) : endpoint.upload && formOf(endpoint.upload, input.upload)
  return {
    method: endpoint.method,
    headers: { ...shared, ...(isJson ? { 'Content-Type': 'application/json' } : {}), ...input.headers },
    ...(body === undefined ? {} : { body }),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  }
}

function formOf({ part }: Upload, uploaded: FormData | Blob | undefined): FormData | undefined {
  if (!(uploaded instanceof Blob)) return uploaded
  const form = new FormData()
  form.set(part, uploaded, uploaded instanceof File ? uploaded.name : part)
  return form
}

function readReply(endpoint: Endpoint, answer: Response): Promise<unknown> {
  if (endpoint.reply === 'bytes') return answer.blob()
  if (endpoint.reply === 'nothing') return answer.text().then(() => undefined)
  return answer.json().catch((cause) => {
    throw new CallFailure(answer.status, {}, cause)
  })
}

/** A caller who gave up is told so; everything else means that nobody answered. */
function unreachable(cause: unknown): never {
  if (cause instanceof Error && cause.name === 'AbortError') throw cause
  throw new CallFailure(0, {}, cause)
}

async function refusalOf(answer: Response): Promise<CallFailure> {
  const failure = (await answer.json().catch(() => ({}))) as Partial<Failure> | null
  return new CallFailure(answer.status, failure ?? {})
}
