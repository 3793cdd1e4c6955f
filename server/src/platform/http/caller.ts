import type { Scope } from '@keystall/contract/scopes'
import type { StoreRow } from '#stores/tables'

/** Whoever a key or a session speaks for. */
export interface Caller {
  kind: 'key' | 'session'
  /** The key's or the session's own id. */
  id: string
  userId: string
  /** The name that logs of what happened show. */
  userName: string
  isStaff: boolean
  /** What the key or session may do at most; a store's members may have less there. */
  scopes: ReadonlySet<Scope>
  /** The stores that the key is limited to; null is every store of the user. */
  storeIds: readonly string[] | null
}

/** A store as its caller may use it. */
export interface OwnStore {
  store: StoreRow
  /** What the caller may do in this store: the caller's scopes and the user's own rights there. */
  rights: ReadonlySet<Scope>
}

/** What is known of a request before anybody is asked for. */
export interface Visit {
  requestId: string
  ip: string
  userAgent: string
  acceptLanguage: string
}
