import { Type } from 'typebox'
import { invalid } from '#problem'
import { byHandStep } from '../by-hand.ts'
import type { PaymentMethod } from '../method.ts'
import { flag, optionalText, settingsOf } from '../settings-form.ts'

const walletSettings = Type.Object({
  tag: optionalText(
    { title: 'Tag', description: 'Your name in the wallet, such as $yourname.' },
    { maxLength: 64, pattern: '^\\S*$', reason: 'must be one word' },
  ),
  email: optionalText(
    { title: 'E-mail address of the wallet', description: 'Used where there is no tag.' },
    { pattern: '^$|^\\S+@\\S+\\.\\S+$', reason: 'must be an e-mail address' },
  ),
  verificationCode: optionalText(
    { title: 'Verification code', description: 'What your wallet shows to prove that it is yours.' },
    { maxLength: 64 },
  ),
  isAcceptingRequests: flag({
    title: 'Payment requests',
    description: 'Buyers may ask you to send them a request for the money.',
  }),
  words: optionalText(
    { title: 'Your own words', description: 'Shown to the buyer below the instructions.' },
    { maxLength: 2000 },
  ),
})

/** To the seller's wallet app; the seller looks whether the money came. */
export const walletMethod: PaymentMethod = {
  id: 'wallet',
  words: 'Buyers send the money to your wallet app; you confirm that it came.',
  expiresAfterMinutes: 24 * 60,
  settings: walletSettings,
  isByHand: true,
  connect: async (_platform, { settings }) => {
    const { tag, email } = settingsOf(walletSettings, settings)
    if (!tag && !email) throw invalid({ 'settings.tag': 'or the e-mail address is needed' })
    return settings
  },
  begin: async (_platform, { settings }, due) => {
    const { tag, email, words = '' } = settingsOf(walletSettings, settings)
    return byHandStep(due, { payee: tag || email || '', words })
  },
}
