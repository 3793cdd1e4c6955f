import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { fromStripeAmount, toStripeAmount } from './amounts.ts'

describe('an amount as Stripe writes it', () => {
  test.each([
    ['USD', 1234, 1234],
    ['JPY', 500, 500],
    ['KRW', 10_000, 10_000],
    // No decimals here, two there, always 00.
    ['ISK', 5, 500],
    ['UGX', 5, 500],
    ['MGA', 500, 500],
    ['KWD', 1230, 1230],
    // People write these without decimals, Stripe with two.
    ['HUF', 12_345, 1_234_500],
    ['IDR', 15_000, 1_500_000],
  ])('%s %i is %i, and back', (currency, minor, amount) => {
    assert.equal(toStripeAmount(minor, currency), amount)
    assert.equal(fromStripeAmount(amount, currency), minor)
  })

  test.each([
    ['KWD', 1234],
    ['TND', 1],
  ])('%s %i cannot be charged exactly', (currency, minor) => {
    assert.equal(toStripeAmount(minor, currency), undefined)
  })
})
