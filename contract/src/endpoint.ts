import type { Static, TSchema } from 'typebox'
import type { PathToken } from './path.ts'
import type { Scope } from './scopes.ts'

/**
 * Who may call an endpoint.
 * - a scope: the API host with a key that has it, or the dashboard host with a session that has it
 * - `public`: anybody, on the API host
 * - `order`: anybody with the order's own key, on the API host
 * - `guest`: anybody, on the dashboard host, from its own pages
 * - `session`: a signed-in person, on the dashboard host
 * - `staff`: a signed-in member of the platform's staff, on the dashboard host
 */
export type Access = Scope | 'public' | 'order' | 'guest' | 'session' | 'staff'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The tokens of a path: `'storeId' | 'page'` for `/stores/{storeId}/coupons/{page}`. */
export type TokensOf<Path extends string> = Path extends `${string}{${infer Token}}${infer Rest}`
  ? Token | TokensOf<Rest>
  : never

type KnownPath<Path extends string> = Exclude<TokensOf<Path>, PathToken> extends never ? Path : never

/** A body that is one uploaded part instead of JSON. */
export interface Upload {
  readonly part: 'image' | 'file'
  readonly accepts: string
}

export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly access: Access
  readonly summary: string
  /** What the summary leaves out: limits, states, what else happens. */
  readonly description?: string
  readonly query?: TSchema
  readonly body?: TSchema
  readonly upload?: Upload
  /** Request headers beyond the key, by name, with their meaning. */
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly isRequired?: boolean }>>
  /** `nothing` is 200 without a body, `bytes` a file. */
  readonly reply: TSchema | 'nothing' | 'bytes'
  /** Of `bytes`, where it is always the same. */
  readonly mediaType?: string
  /** Largest JSON body, where it is not the usual 1 MiB. */
  readonly bodyBytesMax?: number
  /** Waits for an answer from outside, and is given the time. */
  readonly waitsForOthers?: true
  /** A GET that changes something: HEAD is not offered. */
  readonly hasEffect?: true
  /** Not in the store's log: it changes nothing, or is a small part of something that is there. */
  readonly isUnrecorded?: true
  /** The body is handed over as it came: its sender signed its bytes. */
  readonly isBodySigned?: true
  /** Takes an Idempotency-Key header. */
  readonly isIdempotent?: true
  /** Stands beside the published contract: the buyer's endpoints, the dashboard's and our additions. */
  readonly beside?: true
}

/** Leaving out `access` or misspelling a path token does not compile. */
export function endpoint<const E extends Endpoint>(value: E & { readonly path: KnownPath<E['path']> }): E {
  return value
}

/** What a caller sends as a body: fields with a default may be left out. */
export type BodyOf<E extends Endpoint> = E extends {
  readonly body: infer Body extends TSchema
}
  ? Static<Body>
  : undefined

/** What a caller sends as a query: fields with a default may be left out. */
export type QueryOf<E extends Endpoint> = E extends {
  readonly query: infer Query extends TSchema
}
  ? Static<Query>
  : undefined

export type ReplyOf<E extends Endpoint> = E extends {
  readonly reply: infer Reply extends TSchema
}
  ? Static<Reply>
  : undefined
