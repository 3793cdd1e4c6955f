import { afterAll } from 'vitest'
import { startStripe } from './stripe-server.ts'

/** For as long as a file's tests run. */
export async function aStripe() {
  const stripe = await startStripe()
  afterAll(() => stripe.close())
  return stripe
}
