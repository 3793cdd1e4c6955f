import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { Invitation, InvitationView, Members } from '../shapes/member.ts'
import { EmailAddress, Uuid } from '../values.ts'
import { newPassword, userName } from './account.ts'

const scopes = Type.Array(Type.String({ maxLength: 64, description: 'A scope, by its name or permission string.' }), {
  minItems: 1,
  maxItems: 100,
  description: 'What the person may do in the store: at most what the caller may.',
})

export const listMembers = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/members',
  access: 'UpdateStores',
  beside: true,
  summary: "List a store's members and invitations",
  reply: envelope(Members),
})

export const InvitationForm = Type.Object(
  { emailAddress: EmailAddress('Whom to ask.'), scopes },
  { title: 'InvitationForm', description: 'Whom to ask to work in the store, and what they may do.' },
)
export type InvitationForm = Type.Static<typeof InvitationForm>

export const inviteMember = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/members/invitations',
  access: 'UpdateStores',
  beside: true,
  summary: 'Invite somebody to a store',
  description:
    'Sends a mail with a link that is good for seven days. Nobody can give more than they may do themselves: 400. ' +
    'Who is a member or invited already is refused with 409.',
  body: InvitationForm,
  isIdempotent: true,
  reply: envelope(Invitation),
})

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/members/invitations/{invitationId}/resend',
  access: 'UpdateStores',
  beside: true,
  summary: 'Send an invitation again',
  description: 'The link before it ends, and the new one is good for seven days. Once a minute at most: 429.',
  reply: envelope(Invitation),
})

export const withdrawInvitation = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/members/invitations/{invitationId}',
  access: 'UpdateStores',
  beside: true,
  summary: 'Withdraw an invitation',
  reply: envelope(Nothing),
})

export const MemberForm = Type.Object({ scopes }, { title: 'MemberForm', description: 'What a member may do.' })
export type MemberForm = Type.Static<typeof MemberForm>

export const updateMember = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/members/{memberId}',
  access: 'UpdateStores',
  beside: true,
  summary: 'Change what a member may do',
  description:
    'Takes effect with the next call. Who may do more than the caller cannot be changed: 403. The owner is no member ' +
    'and stays what they are: 409.',
  body: MemberForm,
  reply: envelope(Members),
})

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/members/{memberId}',
  access: 'UpdateStores',
  beside: true,
  summary: 'Remove a member',
  description: 'Their sessions and keys lose the store at once.',
  reply: envelope(Members),
})

export const leaveStore = endpoint({
  method: 'DELETE',
  path: '/memberships/{storeId}',
  access: 'session',
  beside: true,
  summary: 'Leave a store',
  description: 'Ends the own membership. The owner cannot leave: 409.',
  reply: envelope(Nothing),
})

const link = {
  storeId: Uuid('The store that the link names.'),
  token: Type.String({ minLength: 1, maxLength: 256, description: 'The token that the mail carried.' }),
}

export const InvitationLink = Type.Object(link, { title: 'InvitationLink', description: 'What the mail carried.' })
export type InvitationLink = Type.Static<typeof InvitationLink>

export const viewInvitation = endpoint({
  method: 'POST',
  path: '/invitations/view',
  access: 'guest',
  beside: true,
  summary: 'Look at an invitation',
  description: 'A link that is used, withdrawn or too old is 400 on `token`.',
  body: InvitationLink,
  reply: envelope(InvitationView),
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/invitations/accept',
  access: 'session',
  beside: true,
  summary: 'Accept an invitation',
  description: 'Only with the account of the invited address: otherwise 409.',
  body: InvitationLink,
  reply: envelope(Nothing),
})

export const InvitationSignUpForm = Type.Object(
  { ...link, userName, password: newPassword },
  { title: 'InvitationSignUpForm', description: 'A new account for the invited address.' },
)
export type InvitationSignUpForm = Type.Static<typeof InvitationSignUpForm>

export const signUpByInvitation = endpoint({
  method: 'POST',
  path: '/invitations/sign-up',
  access: 'guest',
  beside: true,
  summary: 'Register and accept an invitation',
  description:
    'The link proves the address, so it needs no further mail; the person is signed in. An address with an account ' +
    'is refused with 409.',
  body: InvitationSignUpForm,
  reply: envelope(Nothing),
})
