import { type Scope, scopeNames } from '@keystall/contract/scopes'

const everything: ReadonlySet<Scope> = new Set(scopeNames)

/** An owner may do everything in the store; a member what was given. */
export function rightsOf(user: { isOwner: boolean; memberScopes: readonly string[] | null }): ReadonlySet<Scope> {
  return user.isOwner ? everything : scopesIn(user.memberScopes ?? [])
}

/** The scopes that all the lists name; a name that is no scope, or no longer one, is dropped. */
export function scopesIn(...lists: (readonly string[])[]): ReadonlySet<Scope> {
  return new Set(scopeNames.filter((scope) => lists.every((list) => list.includes(scope))))
}
