import { exponentOf } from '#platform/money/money'

/** Rates are used with eight decimals. */
const rateScale = 100_000_000

interface Precision {
  decimals: number
  shownDecimals: number
}

/** What pays so much money at this rate (money for one coin), rounded up to what a buyer can type. */
export function unitsFor(
  minor: number,
  currency: string,
  rate: number,
  { decimals, shownDecimals }: Precision,
): bigint {
  const price = BigInt(Math.round(rate * rateScale)) * 10n ** BigInt(exponentOf(currency) ?? 2)
  const units = divideUp(BigInt(minor) * BigInt(rateScale) * 10n ** BigInt(decimals), price)
  const step = 10n ** BigInt(decimals - shownDecimals)
  return divideUp(units, step) * step
}

/** A rest that is too small to be sent is let off, if it is no more than this part of the price. */
const letOff = 20n

/**
 * What so many units are worth by a price that was promised: exactly what is due for exactly what was asked, or for so
 * much that nobody could send the rest.
 */
export function worthOf(units: bigint, due: { dueMinor: number; amountUnits: string }, dustUnits: bigint): number {
  const asked = BigInt(due.amountUnits)
  const rest = asked - units
  if (rest > 0n && rest < dustUnits && rest * letOff <= asked) return due.dueMinor
  return Number((units * BigInt(due.dueMinor)) / asked)
}

/** As a decimal number, without zeros at its end. */
export function amountOf(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** The other way round, of a text that has no more decimals than the coin. */
export function unitsOf(amount: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}
