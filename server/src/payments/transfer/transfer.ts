import { Type } from 'typebox'
import { byHandStep } from '../by-hand.ts'
import type { PaymentMethod } from '../method.ts'
import { flag, optionalText, settingsOf, text } from '../settings-form.ts'

const transferSettings = Type.Object({
  email: text(
    { title: 'E-mail address of the account', description: 'The account that you are paid to.' },
    { format: 'email' },
  ),
  transferEmail: optionalText(
    { title: 'Address for transfers', description: 'Where buyers send the money, if it is another address.' },
    { pattern: '^$|^\\S+@\\S+\\.\\S+$', reason: 'must be an e-mail address' },
  ),
  isFriendsAndFamilyEnabled: flag({
    title: 'Between private persons',
    description: 'Buyers are asked to send the money as to friends and family.',
  }),
  isAcceptingRequests: flag({
    title: 'Payment requests',
    description: 'Buyers may ask you to send them a request for the money.',
  }),
  words: optionalText(
    { title: 'Your own words', description: 'Shown to the buyer below the instructions.' },
    { maxLength: 2000 },
  ),
})

/** To the seller's account; the seller looks whether the money came. */
export const transferMethod: PaymentMethod = {
  id: 'transfer',
  words: 'Buyers send the money to your account; you confirm that it came.',
  expiresAfterMinutes: 24 * 60,
  settings: transferSettings,
  isByHand: true,
  begin: async (_platform, { settings }, due) => {
    const given = settingsOf(transferSettings, settings)
    const { email, transferEmail, isFriendsAndFamilyEnabled: isAsFriends = false, words = '' } = given
    return byHandStep(due, { payee: transferEmail || email, words, isAsFriends })
  },
}
