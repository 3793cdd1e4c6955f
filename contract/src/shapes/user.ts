import { Type } from 'typebox'
import { Count, list, nullable, shape, StringMap, Timestamp, Uuid } from '../values.ts'
import { StoreOfUser } from './store.ts'

const flag = (description: string) => Type.Boolean({ description })

const WalletOptions = shape('WalletOptions', 'How the user takes wallet payments.', {
  id: Uuid('Identifies the options.'),
  dateCreated: Timestamp('When the options were created.'),
  isEnabled: flag('Whether wallet payments are taken.'),
  email: Type.String({ description: 'The e-mail address of the wallet account.' }),
  verificationCode: Type.String({ description: 'The code that proves the account.' }),
  isAcceptingRequests: flag('Whether the account accepts payment requests.'),
  tag: Type.String({ description: 'The tag of the wallet account.' }),
})

const AccountTransferOptions = shape('AccountTransferOptions', 'How the user takes account transfers.', {
  id: Uuid('Identifies the options.'),
  dateCreated: Timestamp('When the options were created.'),
  isEnabled: flag('Whether account transfers are taken.'),
  isFriendsAndFamilyEnabled: flag('Whether transfers between private persons are taken.'),
  isAcceptingRequests: flag('Whether the account accepts payment requests.'),
  email: Type.String({ description: 'The e-mail address of the account.' }),
  transferEmail: Type.String({ description: 'The e-mail address that transfers go to.' }),
})

const CardOptions = shape('CardOptions', 'How the user takes cards.', {
  id: Uuid('Identifies the options.'),
  dateCreated: Timestamp('When the options were created.'),
  isEnabled: flag('Whether cards are taken.'),
  publishableKey: Type.String({ description: "The card processor's public key." }),
})

const FraudReport = shape('FraudReport', 'A report about a payment.', {
  id: Uuid('Identifies the report.'),
  dateCreated: Timestamp('When the report was made.'),
  email: Type.String({ description: 'The e-mail address reported.' }),
  reason: Type.String({ description: 'Why it was reported.' }),
  gateway: Type.String({ description: 'The payment method ID.' }),
  reporter: Type.String({ description: 'Who reported it.' }),
  resolved: flag('Whether the report is settled.'),
  type: Type.String({ description: 'The kind of report.' }),
  userId: Type.String({ description: 'The user whom the report concerns.' }),
})

export const User = shape('User', 'The user whom the key belongs to.', {
  id: Type.String({ description: 'Identifies the user.' }),
  dateCreated: Timestamp('When the user registered.'),
  plan: Type.String({ description: "The user's plan." }),
  setupCompletionState: Type.Integer({
    description:
      'How many steps of the first set-up are done, of six: the e-mail address is confirmed, a store is open, a product is in it, it has something to deliver, buyers can pay, something was sold.',
  }),
  disabledPaymentMethods: StringMap('Payment method ID to the reason why the user cannot take it.'),
  email: Type.String({ description: "The user's e-mail address." }),
  userName: Type.String({ description: "The user's name on the platform." }),
  allowMarketplace: flag("Whether the user's products may be in the marketplace."),
  stores: list(StoreOfUser, 'The stores that the user owns or is a member of; empty for a key without ViewStores.'),
  twoFactorEnabled: flag('Whether signing in needs a second factor.'),
  chatWebhookUrl: nullable(Type.String({ description: 'Receives short messages about sales; null when unset.' })),
  lastPasswordUpdate: Timestamp('When the password was last set.'),
  walletOptions: nullable(WalletOptions, 'How the user takes wallet payments; null when never set up.'),
  accountTransferOptions: nullable(
    AccountTransferOptions,
    'How the user takes account transfers; null when never set up.',
  ),
  cardOptions: nullable(CardOptions, 'How the user takes cards; null when never set up.'),
  disabled: flag('Whether the platform has disabled the account.'),
  planExpiry: nullable(Timestamp('When the plan ends; null when it does not.')),
  enabledCryptocurrencies: list(
    Type.String({ description: 'A payment method ID.' }),
    'The cryptocurrencies that the user takes.',
  ),
  ownedReferralLink: Type.String({ description: 'The address by which the user refers others.' }),
  referralLink: nullable(
    Type.String({ description: 'The address by which the user was referred; null when nobody referred them.' }),
  ),
  fraudReports: list(FraudReport, "The reports about payments to the user's stores."),
  stripeEnabled: flag('Whether cards are taken.'),
  apiKeyActive: flag('Whether the user has an API key that is not revoked.'),
  isCryptoEnabled: flag('Whether cryptocurrencies are taken.'),
  isCardsToCryptoEnabled: flag('Whether card payments are turned into cryptocurrency.'),
  isProviderAEnabled: flag('Whether payments through provider A are taken.'),
  isProviderBEnabled: flag('Whether payments through provider B are taken.'),
  refreshAt: nullable(Timestamp('When these figures are next brought up to date; null when they always are.')),
})
export type User = Type.Static<typeof User>

export const ReferralStatistics = shape('ReferralStatistics', "What came of the user's referral address.", {
  amountRegistered: Count('How many people registered.'),
  amountSubscribed: Count('How many of them took a paid plan.'),
  amountEarned: Type.Number({
    description:
      'What the user earned by it, in US dollars. What was earned otherwise counts by its present rate, if known.',
  }),
})
export type ReferralStatistics = Type.Static<typeof ReferralStatistics>

export const ReferralEarnings = shape('ReferralEarnings', 'What the user earned by referring, in one currency.', {
  currency: Type.String({ description: 'ISO 4217.' }),
  amount: Type.Number({ description: 'The shares of fees, less those of fees that were given back.' }),
})
export type ReferralEarnings = Type.Static<typeof ReferralEarnings>
