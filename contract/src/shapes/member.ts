import { Type } from 'typebox'
import { list, nullable, shape, Timestamp, Uuid } from '../values.ts'

const scopes = list(Type.String({ description: 'The name of a scope.' }), 'What this person may do in the store.')

const Member = shape('Member', 'Somebody who works in a store.', {
  id: Uuid('Identifies the user.'),
  dateCreated: Timestamp('When they became a member; for the owner, when the store was opened.'),
  userName: Type.String({ description: "The user's name on the platform." }),
  emailAddress: Type.String({ description: "The user's e-mail address." }),
  isOwner: Type.Boolean({ description: 'Whether this is the owner, who may do everything and cannot be removed.' }),
  scopes,
})
export type Member = Type.Static<typeof Member>

export const Invitation = shape('Invitation', 'Somebody who was asked to become a member of a store.', {
  id: Uuid('Identifies the invitation.'),
  dateCreated: Timestamp('When they were first asked.'),
  emailAddress: Type.String({ description: 'The address that was asked; nobody else can accept.' }),
  scopes,
  invitedBy: Type.String({ description: 'The name of the person who asked.' }),
  expiresAt: Timestamp('When the link in the mail ends.'),
  isExpired: Type.Boolean({ description: 'Whether the link has ended.' }),
})
export type Invitation = Type.Static<typeof Invitation>

export const Members = shape('Members', 'Everybody who works in a store or is asked to.', {
  members: list(Member, 'The owner first, then the members, oldest first.'),
  invitations: list(Invitation, 'Those who have not accepted yet, newest first.'),
})
export type Members = Type.Static<typeof Members>

export const InvitationView = shape('InvitationView', 'An invitation, as the person who is asked sees it.', {
  storeName: Type.String({ description: 'The name of the store.' }),
  invitedBy: Type.String({ description: 'The name of the person who asked.' }),
  emailAddress: Type.String({ description: 'The address that was asked.' }),
  scopes,
  expiresAt: Timestamp('When the link ends.'),
  hasAccount: Type.Boolean({ description: 'Whether the address has an account, with which to accept.' }),
  storeId: Uuid('Identifies the store.'),
  ownerName: nullable(Type.String({ description: "The name of the store's owner." })),
})
export type InvitationView = Type.Static<typeof InvitationView>
