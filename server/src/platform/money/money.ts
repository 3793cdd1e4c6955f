const exponents = new Map<string, number>()
let currencies: Set<string> | undefined

/** The decimals of a currency, as ISO 4217 and `Intl` know them. Undefined for a code that is no currency. */
export function exponentOf(currency: string): number | undefined {
  const known = exponents.get(currency)
  if (known !== undefined) return known
  currencies ??= new Set(Intl.supportedValuesOf('currency'))
  if (!currencies.has(currency)) return undefined
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const exponent = format.resolvedOptions().maximumFractionDigits ?? 2
  exponents.set(currency, exponent)
  return exponent
}

/** Undefined when the amount has more decimals than the currency, or is too large to be exact. */
export function toMinor(amount: number, currency: string): number | undefined {
  const exponent = exponentOf(currency) ?? 2
  const minor = Math.round(amount * 10 ** exponent)
  const isExact = Number.isSafeInteger(minor) && Number((minor / 10 ** exponent).toFixed(exponent)) === amount
  return isExact ? minor : undefined
}

export function fromMinor(minor: number, currency: string): number {
  const exponent = exponentOf(currency) ?? 2
  return Number((minor / 10 ** exponent).toFixed(exponent))
}

/** Percent with up to four decimals, in exact integers, rounded half up. */
export function percentOf(minor: number, percentage: number): number {
  const scaled = BigInt(minor) * BigInt(Math.round(percentage * 10_000))
  return Number((scaled + 500_000n) / 1_000_000n)
}
