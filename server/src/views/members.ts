import { type Scope, scopeNames } from '@keystall/contract/scopes'
import { sql } from 'kysely'
import type { InvitationRow } from '#members/tables'
import type { Db } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'

/** Everybody who works in the store or is asked to. */
export async function selectMembers(db: Db, store: StoreRow) {
  const [owner, members, invitations] = await Promise.all([
    db
      .selectFrom('users')
      .where('id', '=', store.ownerId)
      .select(['id', 'userName', 'emailAddress'])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('storeMembers')
      .innerJoin('users', 'users.id', 'storeMembers.userId')
      .where('storeMembers.storeId', '=', store.id)
      .select(['users.id', 'users.userName', 'users.emailAddress', 'storeMembers.scopes', 'storeMembers.dateCreated'])
      .orderBy('storeMembers.dateCreated')
      .orderBy('users.id')
      .execute(),
    invitationsOf(db, store).orderBy('dateCreated', 'desc').orderBy('id', 'desc').execute(),
  ])
  return {
    members: [
      { ...owner, dateCreated: store.dateCreated, isOwner: true, scopes: [...scopeNames] },
      ...members.map((member) => ({ ...member, isOwner: false, scopes: inOrder(member.scopes) })),
    ],
    invitations: invitations.map((invitation) => ({ ...invitation, scopes: inOrder(invitation.scopes) })),
  }
}

export async function selectInvitation(db: Db, store: StoreRow, { id }: Pick<InvitationRow, 'id'>) {
  const invitation = await invitationsOf(db, store).where('storeInvitations.id', '=', id).executeTakeFirstOrThrow()
  return { ...invitation, scopes: inOrder(invitation.scopes) }
}

/** As the person who is asked sees it. */
export async function selectInvitationView(db: Db, { storeId, id, ...invitation }: InvitationRow) {
  const row = await db
    .selectFrom('storeInvitations')
    .innerJoin('stores', 'stores.id', 'storeInvitations.storeId')
    .innerJoin('users as owner', 'owner.id', 'stores.ownerId')
    .leftJoin('users as inviter', 'inviter.id', 'storeInvitations.invitedBy')
    .where('storeInvitations.storeId', '=', storeId)
    .where('storeInvitations.id', '=', id)
    .select((eb) => [
      'stores.name as storeName',
      'owner.userName as ownerName',
      'inviter.userName as invitedBy',
      eb
        .exists(
          eb
            .selectFrom('users')
            .where(sql<string>`lower(users.email_address)`, '=', invitation.emailAddress.toLowerCase())
            .where('users.emailConfirmedAt', 'is not', null)
            .select('users.id'),
        )
        .$castTo<boolean>()
        .as('hasAccount'),
    ])
    .executeTakeFirstOrThrow()
  const { emailAddress, expiresAt } = invitation
  const scopes = inOrder(invitation.scopes)
  return { ...row, storeId, emailAddress, expiresAt, scopes, invitedBy: row.invitedBy ?? row.ownerName }
}

function invitationsOf(db: Db, store: StoreRow) {
  return db
    .selectFrom('storeInvitations')
    .leftJoin('users as inviter', 'inviter.id', 'storeInvitations.invitedBy')
    .where('storeInvitations.storeId', '=', store.id)
    .select([
      'storeInvitations.id',
      'storeInvitations.dateCreated',
      'storeInvitations.emailAddress',
      'storeInvitations.scopes',
      'storeInvitations.expiresAt',
      sql<string>`coalesce(inviter.user_name, '')`.as('invitedBy'),
      sql<boolean>`store_invitations.expires_at <= now()`.as('isExpired'),
    ])
}

function inOrder(scopes: readonly string[]): Scope[] {
  return scopeNames.filter((scope) => scopes.includes(scope))
}
