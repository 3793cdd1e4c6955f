import { assert, test } from 'vitest'
import { thoughtOf, type Told } from './patience.ts'

function told(p99: number, mostKept: number | undefined): Told {
  return { heard: { p99, longest: p99, failures: [], lastedMs: 15_000, stoodStill: 0, mostKept }, usual: 30 }
}

const quick = told(80, 0)
const slow = told(100, 0)
const quickBesideStandstill = told(80, 900)
const slowBesideStandstill = told(100, 900)

for (const [title, measures, thought] of [
  ['who did not wait', [quick], 'holds'],
  ['who waited', [slow], 'fails'],
  ['who waited on a machine of which nothing is known', [told(100, undefined)], 'fails'],
  ['who did not wait beside a standstill', [quickBesideStandstill], 'holds'],
  ['who waited beside one', [slowBesideStandstill], 'doubtful'],
  ['who waited beside one, and not without', [slowBesideStandstill, quick], 'holds'],
  ['who waited beside one, and without', [slowBesideStandstill, slow], 'fails'],
  ['who waited as often as not', [slowBesideStandstill, quickBesideStandstill], 'doubtful'],
  ['who waited less often', [slowBesideStandstill, quickBesideStandstill, quickBesideStandstill], 'holds'],
  ['who did not wait once of many times', [...Array(9).fill(slowBesideStandstill), quickBesideStandstill], 'doubtful'],
] as const)
  test(`what is thought of ${title}: ${thought}`, () => assert.equal(thoughtOf(measures), thought))
