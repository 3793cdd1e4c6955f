import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { fromMinor, percentOf, toMinor } from '#platform/money/money'
import { type PricedLine, priceOf, totalMinorMax } from './pricing.ts'

const percentage = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 1_000_000 }).map((tenThousandths) => tenThousandths / 10_000),
)

const line = (id: number): fc.Arbitrary<PricedLine> =>
  fc.record({
    productId: fc.constant(`product ${id}`),
    quantity: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 1000 })),
    costMinor: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 1_000_000_000 })),
    feePercentage: fc.oneof(fc.constant(0), percentage),
  })

const cart = fc
  .integer({ min: 1, max: 8 })
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_, id) => line(id))))

const discount = fc.option(
  fc.record({
    percentage,
    productIds: fc.oneof(fc.constant([]), fc.subarray(['product 0', 'product 1', 'product 2'], { minLength: 1 })),
  }),
)

describe('the price of an order', () => {
  test('always adds up, to the minor unit, and is never negative', () => {
    fc.assert(
      fc.property(cart, discount, (lines, coupon) => {
        const price = priceOf(lines, coupon)
        assert.equal(price.costMinor, price.subtotalMinor - price.discountMinor + price.feeMinor)
        for (const part of ['subtotalMinor', 'discountMinor', 'feeMinor'] as const) {
          assert.equal(
            price.lines.reduce((sum, each) => sum + each[part], 0),
            price[part],
          )
        }
        for (const each of price.lines) {
          assert.ok(Number.isSafeInteger(each.subtotalMinor))
          assert.ok(each.discountMinor >= 0 && each.discountMinor <= each.subtotalMinor, 'a part may not turn negative')
          assert.ok(each.feeMinor >= 0)
        }
        assert.ok(price.costMinor >= 0)
      }),
      { numRuns: 10_000 },
    )
  })

  test('the discount and one fee are each rounded half up once, on the total', () => {
    fc.assert(
      fc.property(cart, percentage, percentage, (lines, off, fee) => {
        const same = lines.map((each) => ({ ...each, feePercentage: fee }))
        const price = priceOf(same, { percentage: off, productIds: [] })
        assert.equal(price.discountMinor, percentOf(price.subtotalMinor, off))
        assert.equal(price.feeMinor, percentOf(price.subtotalMinor - price.discountMinor, fee))
      }),
      { numRuns: 10_000 },
    )
  })

  test('a percentage is exact, rounded half up, up to the dearest order', () => {
    const [largest, whole] = [fc.integer({ min: 0, max: totalMinorMax }), 1_000_000n]
    fc.assert(
      fc.property(largest, fc.integer({ min: 0, max: 1_000_000 }), (minor, tenThousandths) => {
        const share = percentOf(minor, tenThousandths / 10_000)
        const twiceOff = 2n * (BigInt(share) * whole - BigInt(minor) * BigInt(tenThousandths))
        assert.ok(twiceOff > -whole && twiceOff <= whole, `${minor} ${tenThousandths}`)
      }),
      { numRuns: 10_000 },
    )
  })

  test('shown in currencies of 0, 2 and 3 decimals, the parts still add up exactly', () => {
    fc.assert(
      fc.property(cart, discount, fc.constantFrom('JPY', 'USD', 'KWD'), (lines, coupon, currency) => {
        const price = priceOf(lines, coupon)
        const parts = [price.subtotalMinor, price.discountMinor, price.feeMinor]
        const shown = parts.map((minor) => toMinor(fromMinor(minor, currency), currency))
        assert.deepEqual(shown, parts)
      }),
      { numRuns: 3_000 },
    )
  })

  test.each([
    {
      lines: [[999, 3, 0]],
      off: 10,
      expected: { subtotalMinor: 2997, discountMinor: 300, feeMinor: 0, costMinor: 2697 },
    },
    { lines: [[1, 1, 0]], off: 50, expected: { subtotalMinor: 1, discountMinor: 1, feeMinor: 0, costMinor: 0 } },
    {
      lines: [[1000, 1, 2.5]],
      off: 20,
      expected: { subtotalMinor: 1000, discountMinor: 200, feeMinor: 20, costMinor: 820 },
    },
    {
      lines: [
        [1000, 1, 10],
        [500, 2, 0],
      ],
      off: 0,
      expected: { subtotalMinor: 2000, discountMinor: 0, feeMinor: 100, costMinor: 2100 },
    },
    {
      lines: [[1000, 2, 100]],
      off: 100,
      expected: { subtotalMinor: 2000, discountMinor: 2000, feeMinor: 0, costMinor: 0 },
    },
  ])('$lines less $off % is $expected', ({ lines, off, expected }) => {
    const given = lines.map(([costMinor = 0, quantity = 1, feePercentage = 0], index) => ({
      productId: String(index),
      costMinor,
      quantity,
      feePercentage,
    }))
    const { lines: _, ...price } = priceOf(given, { percentage: off, productIds: [] })
    assert.deepEqual(price, expected)
  })

  test('a coupon for some products leaves the others alone', () => {
    const lines = [
      { productId: 'a', quantity: 1, costMinor: 1000, feePercentage: 0 },
      { productId: 'b', quantity: 1, costMinor: 500, feePercentage: 0 },
    ]
    const price = priceOf(lines, { percentage: 10, productIds: ['b'] })
    assert.deepEqual(
      price.lines.map((each) => each.discountMinor),
      [0, 50],
    )
  })
})
