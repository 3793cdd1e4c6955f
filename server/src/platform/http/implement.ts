import type { Endpoint, BodyOf, QueryOf, ReplyOf, TokensOf } from '@keystall/contract/endpoint'
import type { pathTokens } from '@keystall/contract/path'
import type { Scope } from '@keystall/contract/scopes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Ahead } from '#platform/db/ahead'
import type { Db } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import type { StoreRow } from '#stores/tables'
import type { Subject } from './act.ts'
import type { Caller, Visit } from './caller.ts'
import type { OrderLoaders, RowsByToken } from './loading.ts'
import type { Once } from './once.ts'

/** An endpoint of the contract with the code that answers it. */
export interface Implementation {
  endpoint: Endpoint
  handle: (input: never) => Promise<unknown>
  ahead?: Ahead | undefined
}

/** With `ahead`, what is shown is read with the admission, and the rows that the path names are not. */
export function implement<const E extends Endpoint, Shown = undefined>(
  endpoint: E,
  handle: (input: Input<E> & { shown: Shown }) => Promise<NoInfer<Answer<ReplyOf<E>>> | FastifyReply>,
  ahead?: Ahead<Shown>,
): Implementation {
  return { endpoint, handle, ahead }
}

/** What a handler is given: who, where and what are settled before it runs. */
export type Input<E extends Endpoint> = {
  db: Db
  platform: Platform
  visit: Visit
  path: { [Token in TokensOf<E['path']> & keyof typeof pathTokens]: Static<(typeof pathTokens)[Token]> }
  query: Filled<QueryOf<E>>
  body: Filled<BodyOf<E>>
  /** Null when the endpoint takes none or the caller sent none. */
  idempotencyKey: string | null
  /** Runs the effect; endpoints that take an Idempotency-Key return what it returns. */
  once: Once
  /** Tells the audit log what was acted upon, where the path does not say it. */
  about: (subject: Subject) => void
  request: FastifyRequest
  reply: FastifyReply
} & CallerFor<E['access']> &
  RowsFor<E>

type CallerFor<Access> = Access extends Scope
  ? { caller: Caller; rights: ReadonlySet<Scope> }
  : Access extends 'session' | 'staff'
    ? { caller: Caller }
    : unknown

type RowsFor<E extends Endpoint> = E['access'] extends Scope
  ? { [Token in TokensOf<E['path']> & keyof RowsByToken as NameOf<Token>]: RowsByToken[Token] }
  : E['access'] extends 'order'
    ? { store: StoreRow; order: RowsByToken['orderId'] } & {
        [Token in TokensOf<E['path']> & keyof OrderLoaders as NameOf<Token>]: RowsByToken[Token]
      }
    : unknown

/** `storeId` is handed over as `store`. */
type NameOf<Token extends string> = Token extends `${infer Name}Id` ? Name : Token

/** Every optional field of a form has a default, so the server reads all of them. */
export type Filled<T> = T extends readonly (infer Item)[]
  ? Filled<Item>[]
  : T extends object
    ? { [Key in keyof T]-?: Filled<Exclude<T[Key], undefined>> }
    : T

/** Handlers answer with rows: moments may still be dates, and what the reply does not name is dropped. */
export type Answer<T> = T extends string
  ? T | Date
  : T extends readonly (infer Item)[]
    ? readonly Answer<Item>[]
    : T extends object
      ? { [Key in keyof T]: Answer<T[Key]> }
      : T

export function ok<Data>(data: Data, message = 'Done') {
  return { success: true, message, data }
}

export function paged<Row>(page: { pages: number; data: readonly Row[] }) {
  return { success: true, pages: page.pages, data: page.data }
}
