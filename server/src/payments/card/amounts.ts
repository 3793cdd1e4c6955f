import { exponentOf } from '#platform/money/money'

/** Currencies that Stripe counts in whole units. */
const wholeUnits = new Set([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA'],
  ...['PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
])
/** Counted in thousandths, of which the last digit must be 0. */
const thousandths = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

/** Stripe writes ISK and UGX with two decimals that must be 00; all that is not named here has two as well. */
function stripeExponentOf(currency: string): number {
  if (wholeUnits.has(currency)) return 0
  return thousandths.has(currency) ? 3 : 2
}

/** The amount as Stripe writes it; undefined when Stripe cannot take exactly that much. */
export function toStripeAmount(minor: number, currency: string): number | undefined {
  const shift = stripeExponentOf(currency) - (exponentOf(currency) ?? 2)
  const amount = shift >= 0 ? minor * 10 ** shift : minor / 10 ** -shift
  const isExact = Number.isSafeInteger(amount) && (!thousandths.has(currency) || amount % 10 === 0)
  return isExact ? amount : undefined
}

export function fromStripeAmount(amount: number, currency: string): number {
  const shift = stripeExponentOf(currency) - (exponentOf(currency) ?? 2)
  return shift >= 0 ? Math.round(amount / 10 ** shift) : amount * 10 ** -shift
}
