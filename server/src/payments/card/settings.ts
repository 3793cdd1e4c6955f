import type { Stripe } from 'stripe'
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Platform } from '#platform/platform'
import { invalid } from '#problem'
import type { Account, Fact } from '../method.ts'
import { internal, optionalSecret, secret, settingsOf, text } from '../settings-form.ts'
import { openStripe, refusalOf, stripeAway } from './client.ts'

export const cardSettings = Type.Object({
  publishableKey: text(
    { title: 'Publishable key', description: 'In Stripe under Developers → API keys. Begins with pk_.' },
    { pattern: '^pk_(test|live)_[A-Za-z0-9]+$', reason: 'must begin with pk_test_ or pk_live_' },
  ),
  secretKey: secret(
    {
      title: 'Secret key',
      description:
        'Begins with sk_, or with rk_ for a restricted key that may write Checkout sessions, refunds, webhooks and, to ' +
        'renew subscriptions, PaymentIntents.',
    },
    { pattern: '^[sr]k_(test|live)_[A-Za-z0-9]+$', reason: 'must begin with sk_ or rk_' },
  ),
  webhookSecret: optionalSecret(
    {
      title: 'Webhook signing secret',
      description: 'Begins with whsec_. Leave it empty: where this site is on https, the webhook is made for you.',
    },
    { pattern: '^$|^whsec_[A-Za-z0-9+/=_-]+$', reason: 'must begin with whsec_' },
  ),
  /** Of which key the webhook was made by us. */
  webhookOwner: internal(),
})

export const cardEvents = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'radar.early_fraud_warning.created',
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[]

export function cardAccount({ settings }: Account) {
  const { webhookSecret = '', ...rest } = settingsOf(cardSettings, settings)
  return { ...rest, webhookSecret }
}

export function stripeOf(platform: Pick<Platform, 'config'>, account: Account): Promise<Stripe> {
  return openStripe(platform, cardAccount(account).secretKey)
}

/** Asks Stripe for what every payment needs, and makes the webhook where there is none. */
export async function connectCard(platform: Platform, account: Account): Promise<unknown> {
  const settings = cardAccount(account)
  const { secretKey, publishableKey } = settings
  if (modeOf(secretKey) !== modeOf(publishableKey)) {
    throw invalid({ 'settings.secretKey': `is for ${modeOf(secretKey)} mode, the publishable key for the other` })
  }
  const stripe = await openStripe(platform, secretKey)
  const problem = await problemOf(stripe)
  if (problem !== undefined) throw invalid({ 'settings.secretKey': `was refused by Stripe: ${problem}` })

  const owner = fingerprint(secretKey)
  const isForOther = settings.webhookOwner !== undefined && settings.webhookOwner !== owner
  if ((settings.webhookSecret !== '' && !isForOther) || platform.config.apiUrl.protocol !== 'https:') return settings
  return { ...settings, webhookSecret: await makeWebhook(stripe, platform, account), webhookOwner: owner }
}

export async function checkCard(platform: Platform, account: Account): Promise<string | undefined> {
  const problem = await problemOf(await stripeOf(platform, account))
  if (problem !== undefined) return `Stripe refused the secret key: ${problem}`
  if (cardAccount(account).webhookSecret !== '') return undefined
  return 'There is no webhook: payments are only found when the buyer comes back, or after an hour'
}

export function cardFacts(platform: Platform, { store }: Account): Fact[] {
  return [{ label: 'Webhook address', value: noticeAddress(platform, store) }]
}

function noticeAddress({ config }: Pick<Platform, 'config'>, store: { id: string }): string {
  return `${config.apiUrl.origin}/stores/${store.id}/payment-methods/card/notices`
}

async function makeWebhook(stripe: Stripe, platform: Platform, { store }: Account): Promise<string> {
  const url = noticeAddress(platform, store)
  try {
    const made = await stripe.webhookEndpoints.create({
      url,
      enabled_events: [...cardEvents],
      description: `Orders of ${store.name}`,
    })
    return made.secret ?? ''
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw stripeAway()
    throw invalid({
      'settings.webhookSecret': `is needed: make a webhook to ${url} in Stripe. It could not be made: ${refusal}`,
    })
  }
}

async function problemOf(stripe: Stripe): Promise<string | undefined> {
  try {
    await stripe.checkout.sessions.list({ limit: 1 })
    return undefined
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw stripeAway()
    return refusal
  }
}

function modeOf(key: string): string {
  return key.includes('_live_') ? 'live' : 'test'
}

function fingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}
