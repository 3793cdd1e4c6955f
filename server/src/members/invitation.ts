import type { InvitationForm, InvitationLink, InvitationSignUpForm } from '@keystall/contract/endpoints/members'
import { loadUser, registerConfirmed } from '#account/account'
import { beginSession, type Visitor } from '#account/session'
import type { UserRow } from '#account/tables'
import { recordOwnAct } from '#audit-log/act'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import { hashToken, newToken } from '#platform/secrets/tokens'
import { conflict, invalid, notFound, tooMany } from '#problem'
import type { StoreRow } from '#stores/tables'
import { mailInvitationLater, mailJoinedLater } from './mails.ts'
import { givenScopes, type Manager, type Person } from './member.ts'
import {
  countPeople,
  deleteInvitation,
  hasMemberWithAddress,
  insertInvitation,
  lockInvitation,
  renewInvitation,
  selectInvitationByToken,
  takeInvitation,
  upsertMember,
} from './queries.ts'
import type { InvitationRow } from './tables.ts'

const lifetimeSeconds = 7 * 24 * 3600
const resendPauseSeconds = 60
const peopleMax = 100

export async function inviteMember(
  tx: Tx,
  platform: Platform,
  { store, manager }: { store: StoreRow; manager: Manager },
  { emailAddress, scopes }: InvitationForm,
): Promise<InvitationRow> {
  const given = givenScopes(manager, scopes)
  if (await hasMemberWithAddress(tx, store, emailAddress)) throw conflict('This person works in the store already')
  if ((await countPeople(tx, store)) >= peopleMax) throw conflict(`A store has at most ${peopleMax} members`)
  const token = newToken(256)
  const invitation = await insertInvitation(
    tx,
    {
      storeId: store.id,
      id: newId(),
      emailAddress,
      scopes: given,
      invitedBy: manager.userId,
      tokenHash: hashToken(token),
    },
    lifetimeSeconds,
  )
  if (!invitation) throw conflict('This address is invited already: send the invitation again')
  await mailInvitationLater(tx, platform, { store, invitation, token, invitedBy: manager.userName })
  return invitation
}

/** The new link is the only one. */
export async function resendInvitation(
  tx: Tx,
  platform: Platform,
  { store, manager }: { store: StoreRow; manager: Manager },
  invitationId: string,
): Promise<InvitationRow> {
  const known = await loadInvitation(tx, store, invitationId)
  givenScopes(manager, known.scopes)
  const token = newToken(256)
  const tokenHash = hashToken(token)
  const renewed = await renewInvitation(tx, known, { tokenHash, lifetimeSeconds, pauseSeconds: resendPauseSeconds })
  if (!renewed) throw tooMany(resendPauseSeconds)
  await mailInvitationLater(tx, platform, { store, invitation: renewed, token, invitedBy: manager.userName })
  return renewed
}

export async function withdrawInvitation(tx: Tx, store: StoreRow, invitationId: string): Promise<InvitationRow> {
  const invitation = await loadInvitation(tx, store, invitationId)
  await deleteInvitation(tx, invitation)
  return invitation
}

async function loadInvitation(tx: Tx, store: StoreRow, id: string): Promise<InvitationRow> {
  const invitation = await lockInvitation(tx, store, id)
  if (!invitation) throw notFound('invitation')
  return invitation
}

export async function readInvitation(db: Db, link: InvitationLink): Promise<InvitationRow> {
  const invitation = await selectInvitationByToken(db, keyOf(link))
  if (!invitation) throw badLink()
  return invitation
}

/** Whoever got the link by other means than the mail has another address. */
export async function acceptInvitation(
  tx: Tx,
  platform: Platform,
  person: Person,
  link: InvitationLink,
): Promise<void> {
  const user = await loadUser(tx, person.userId)
  const invitation = await readInvitation(tx, link)
  if (!isSameAddress(user, invitation)) {
    throw conflict(`This invitation is for ${invitation.emailAddress}: sign in with that address`)
  }
  await join(tx, platform, { user, ip: person.ip }, link)
}

/** The link came to the address, so it is confirmed. */
export async function signUpByInvitation(
  tx: Tx,
  platform: Platform,
  { userName, password, ...link }: InvitationSignUpForm,
  visitor: Visitor,
): Promise<{ user: UserRow; token: string }> {
  const { emailAddress } = await readInvitation(tx, link)
  const user = await registerConfirmed(tx, { emailAddress, userName, password }, visitor)
  await join(tx, platform, { user, ip: visitor.ip }, link)
  return { user, token: await beginSession(tx, user, visitor) }
}

async function join(
  tx: Tx,
  platform: Platform,
  { user, ip }: { user: UserRow; ip: string },
  link: InvitationLink,
): Promise<void> {
  const invitation = await takeInvitation(tx, keyOf(link))
  if (!invitation) throw badLink()
  const { storeId, scopes } = invitation
  await upsertMember(tx, { storeId, userId: user.id, scopes })
  await mailJoinedLater(tx, platform, { storeId, user })
  const person = { userId: user.id, userName: user.userName, ip }
  await recordOwnAct(tx, { id: storeId }, { act: 'acceptInvitation', person })
}

function isSameAddress(user: Pick<UserRow, 'emailAddress'>, invitation: InvitationRow): boolean {
  return user.emailAddress.toLowerCase() === invitation.emailAddress.toLowerCase()
}

function keyOf({ storeId, token }: InvitationLink) {
  return { storeId, tokenHash: hashToken(token) }
}

function badLink() {
  return invalid({ token: 'is used, withdrawn or too old' })
}
