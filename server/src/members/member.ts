import { type Scope, scopeNamed } from '@keystall/contract/scopes'
import { loadUser } from '#account/account'
import { scopesIn } from '#account/rights'
import type { UserRow } from '#account/tables'
import { readScopes } from '#apps/scopes'
import { recordOwnAct } from '#audit-log/act'
import type { Tx } from '#platform/db/database'
import { conflict, invalid, notFound, Problem } from '#problem'
import type { StoreRow } from '#stores/tables'
import { deleteMember, isOwner, lockMember, updateScopes } from './queries.ts'
import type { MemberRow } from './tables.ts'

/** Who manages members, with what they may do in the store themselves. */
export interface Manager {
  userId: string
  userName: string
  rights: ReadonlySet<Scope>
}

/** Nobody gives what they do not have: a member could otherwise make another who may do more. */
export function givenScopes({ rights }: Pick<Manager, 'rights'>, texts: readonly string[]): Scope[] {
  const scopes = readScopes(texts)
  const fields = Object.fromEntries(
    texts.flatMap((text, index) => {
      const scope = scopeNamed(text)
      return scope !== undefined && !rights.has(scope) ? [[`scopes.${index}`, 'is more than you may do yourself']] : []
    }),
  )
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return scopes
}

export async function changeMember(
  tx: Tx,
  manager: Manager,
  { store, memberId }: { store: StoreRow; memberId: string },
  texts: readonly string[],
): Promise<UserRow> {
  const scopes = givenScopes(manager, texts)
  await updateScopes(tx, await loadBelow(tx, manager, store, memberId), scopes)
  return loadUser(tx, memberId)
}

export async function removeMember(
  tx: Tx,
  manager: Manager,
  { store, memberId }: { store: StoreRow; memberId: string },
): Promise<UserRow> {
  await deleteMember(tx, await loadBelow(tx, manager, store, memberId))
  return loadUser(tx, memberId)
}

/** Somebody who comes or goes by themselves. */
export interface Person {
  userId: string
  userName: string
  ip: string
}

export async function leaveStore(tx: Tx, person: Person, storeId: string): Promise<void> {
  const { userId } = person
  if (await isOwner(tx, { storeId, userId })) throw conflict('This is your own store: it cannot be left')
  if (!(await deleteMember(tx, { storeId, userId }))) throw notFound('store')
  await recordOwnAct(tx, { id: storeId }, { act: 'leaveStore', person })
}

/** A member whom the manager may change: one who may do no more than the manager. */
async function loadBelow(tx: Tx, manager: Manager, store: StoreRow, memberId: string): Promise<MemberRow> {
  if (memberId === store.ownerId) throw conflict('The owner may do everything and cannot be removed')
  const member = await lockMember(tx, store, memberId)
  if (!member) throw notFound('member')
  const isBelow = [...scopesIn(member.scopes)].every((scope) => manager.rights.has(scope))
  if (!isBelow) throw new Problem('AccessDenied', 'This member may do more than you: only the owner can change that')
  return member
}
