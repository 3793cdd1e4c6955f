import type { Stripe } from 'stripe'
import type { Platform } from '#platform/platform'
import { type Problem, unavailable } from '#problem'

/** The SDK is large, and a shop without cards never loads it. */
const loading = () => import('stripe')

/** Below the deadline of a request, twice. */
const timeoutMs = 2000

export async function openStripe({ config }: Pick<Platform, 'config'>, secretKey: string): Promise<Stripe> {
  const { default: StripeClient } = await loading()
  const { stripeUrl } = config
  return new StripeClient(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(stripeUrl === undefined
      ? {}
      : {
          host: stripeUrl.hostname,
          port: stripeUrl.port,
          protocol: stripeUrl.protocol === 'http:' ? ('http' as const) : ('https' as const),
        }),
  })
}

/** Why Stripe said no, in its own words; undefined when it did not answer, and may be asked again. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('type' in error)) throw error
  const { type } = error
  if (type === 'StripeConnectionError' || type === 'StripeAPIError' || type === 'StripeRateLimitError') return undefined
  return type === 'StripeAuthenticationError' ? 'the secret key is not valid' : error.message
}

/** The try that came to nothing: a notice tells of it too, sooner or later. */
export function refusedIntentOf(error: unknown): string | undefined {
  const id: unknown = Object(Object(error)['payment_intent'])['id']
  return typeof id === 'string' ? id : undefined
}

export function stripeAway(): Problem {
  return unavailable('The card processor does not answer: try again in a moment')
}

/** Stripe's errors carry parts of requests: what is thrown on is ours. */
export function asOwnError(error: unknown): Error {
  const refusal = refusalOf(error)
  return refusal === undefined ? stripeAway() : new Error(`Stripe refused: ${refusal}`)
}
