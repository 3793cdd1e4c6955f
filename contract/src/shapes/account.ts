import { Type } from 'typebox'
import { Count, list, nullable, shape, Timestamp, Uuid } from '../values.ts'

export const Account = shape('Account', 'The person who is signed in.', {
  id: Uuid('Identifies the user.'),
  dateCreated: Timestamp('When the user registered.'),
  emailAddress: Type.String({ description: "The user's e-mail address." }),
  userName: Type.String({ description: "The user's name on the platform." }),
  pendingEmailAddress: nullable(
    Type.String({ description: 'The e-mail address that waits to be confirmed; null when none does.' }),
  ),
  isEmailConfirmed: Type.Boolean({ description: 'Whether the e-mail address is confirmed.' }),
  isTwoFactorEnabled: Type.Boolean({ description: 'Whether signing in needs a second factor.' }),
  recoveryCodesLeft: Count('How many recovery codes are unused.'),
  isStaff: Type.Boolean({ description: "Whether the user is one of the platform's staff." }),
  allowMarketplace: Type.Boolean({ description: "Whether the user's products may be in the marketplace." }),
  chatWebhookUrl: nullable(Type.String({ description: 'Receives short messages about sales; null when unset.' })),
  referralLink: Type.String({ description: 'The address by which the user refers others.' }),
  lastPasswordUpdate: Timestamp('When the password was last set.'),
  stores: list(
    Type.Object(
      {
        id: Uuid('Identifies the store.'),
        name: Type.String({ description: 'The name of the store.' }),
        url: Type.String({ description: "The store's label." }),
        domain: Type.String({ description: "The host of the store's pages." }),
        preferredCurrency: Type.String({ description: 'The ISO 4217 code of the currency that prices are in.' }),
        isOwner: Type.Boolean({ description: 'Whether the user owns the store.' }),
        scopes: list(Type.String({ description: 'The name of a scope.' }), 'What the user may do in the store.'),
      },
      { description: 'A store.' },
    ),
    'The stores that the user owns or is a member of.',
  ),
})
export type Account = Type.Static<typeof Account>

export const Session = shape('Session', 'A browser in which the user is signed in.', {
  id: Uuid('Identifies the session.'),
  dateCreated: Timestamp('When the user signed in.'),
  lastUsed: Timestamp('When the session was last used.'),
  ipAddress: Type.String({ description: 'The IP address last seen.' }),
  userAgent: nullable(Type.String({ description: 'The browser, as it names itself; null when it does not.' })),
  isCurrent: Type.Boolean({ description: 'Whether this is the session that asks.' }),
})
export type Session = Type.Static<typeof Session>
