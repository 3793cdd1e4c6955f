import fc from 'fast-check'
import { assert, describe, test } from 'vitest'
import { amountOf, unitsFor, worthOf } from './amounts.ts'
import { confirmationsFor } from './confirmations.ts'
import { rateIn } from './rate-source.ts'
import { tally } from './tally.ts'

const bitcoin = { decimals: 8, shownDecimals: 8 }
const ether = { decimals: 18, shownDecimals: 8 }
const due = { number: 1, dueMinor: 999, amountUnits: '16650' }

describe('amounts', () => {
  test.for([
    [999, 'USD', 60_000, bitcoin, 16_650n],
    [1, 'USD', 60_000, bitcoin, 17n],
    [1000, 'JPY', 9_000_000, bitcoin, 11_112n],
    [999, 'USD', 3_000, ether, 3_330_000_000_000_000n],
  ] as const)('%i %s at %d', ([minor, currency, rate, coin, units]) => {
    assert.equal(unitsFor(minor, currency, rate, coin), units)
  })

  test('are written without zeros at the end', () => {
    assert.deepEqual(
      [16_650n, 100_000_000n, 0n, 123_456_789n].map((units) => amountOf(units, 8)),
      ['0.0001665', '1', '0', '1.23456789'],
    )
  })

  test('what is asked for is worth exactly what is due, and what is less is worth less', () => {
    const price = fc.tuple(
      fc.integer({ min: 1, max: 100_000_000 }),
      fc.double({ min: 0.01, max: 200_000, noNaN: true }),
    )
    fc.assert(
      fc.property(price, ([dueMinor, rate]) => {
        const units = unitsFor(dueMinor, 'USD', rate, bitcoin)
        const asked = { dueMinor, amountUnits: units.toString() }
        assert.equal(worthOf(units, asked, 0n), dueMinor)
        assert.isBelow(worthOf(units - 1n, asked, 0n), dueMinor)
      }),
    )
  })
})

test('a rest that nobody can send is let off, unless it is much of the price', () => {
  const short = (rest: bigint, amountUnits = 100_000n) =>
    worthOf(amountUnits - rest, { dueMinor: 6000, amountUnits: amountUnits.toString() }, 546n)
  assert.deepEqual([short(1n), short(545n), short(546n)], [6000, 6000, 5967])
  assert.deepEqual([short(50n, 1000n), short(51n, 1000n), short(999n, 1000n)], [6000, 5694, 6])
})

describe('tally', () => {
  const paid = (units: number, toldMinor: number | null = null) => ({ units: String(units), due, toldMinor })
  const told = (...confirmed: ReturnType<typeof paid>[]) => tally(confirmed, 0).news.map(({ tellMinor }) => tellMinor)

  test('parts are a whole to the last cent', () => {
    assert.deepEqual(told(paid(5_551), paid(5_551), paid(5_548)), [333, 333, 333])
  })
  test('only what is new is told', () => {
    assert.deepEqual(told(paid(8_325, 499), paid(8_325)), [500])
  })
  test('what the chain lost is made up for first', () => {
    assert.deepEqual(tally([paid(16_650)], 500), { news: [{ payment: paid(16_650), tellMinor: 499 }], lostMinor: 0 })
    assert.deepEqual(tally([], 500), { news: [], lostMinor: 500 })
  })
})

describe('confirmations', () => {
  test.for([
    ['', 50, 1],
    ['0', 50, 1],
    ['2', 50, 2],
    ['1, 3 from 100, 6 from 1000', 99.99, 1],
    ['1, 3 from 100, 6 from 1000', 100, 3],
    ['1,6 from 1000, 3 from 100.5', 1000, 6],
  ] as const)('%s for an order of %d', ([setting, amount, count]) => {
    assert.equal(confirmationsFor(setting, amount), count)
  })
})

test('a source may answer in one of three ways; anything else is no rate', () => {
  const read = (body: string) => rateIn(Buffer.from(body), 'USD')
  assert.deepEqual(['{"rate":1.5}', '{"rates":{"USD":2}}', '{"data":{"rates":{"USD":"3"}}}'].map(read), [1.5, 2, 3])
  for (const body of ['', '[]', 'null', '{"rate":"x"}', '{"rate":-1}', '{"rates":{"EUR":2}}', '{"rate":1e999}']) {
    assert.isUndefined(read(body))
  }
})
