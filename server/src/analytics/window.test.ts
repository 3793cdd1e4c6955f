import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { changeOf, dayAfter, daysOf, nextMonthAfter, windowOf } from './window.ts'

describe('the window of analytics', () => {
  test('begins so many times 24 hours ago, and touches one day more than it is long', () => {
    const window = windowOf(1, new Date('2030-03-01T10:00:00.000Z'))
    assert.deepEqual(window, {
      from: new Date('2030-02-28T10:00:00.000Z'),
      firstDay: '2030-02-28',
      today: '2030-03-01',
      before: { from: new Date('2030-02-27T10:00:00.000Z'), firstDay: '2030-02-27' },
    })
    assert.deepEqual(daysOf(window), ['2030-02-28', '2030-03-01'])
    assert.equal(daysOf(windowOf(365, new Date('2028-06-01T00:00:00.000Z'))).length, 366)
  })

  test('days and months follow each other over the end of a year and a leap day', () => {
    assert.equal(dayAfter('2027-12-31'), '2028-01-01')
    assert.equal(dayAfter('2028-03-01', -1), '2028-02-29')
    assert.equal(nextMonthAfter('2027-12-31'), '2028-01-01')
    assert.equal(nextMonthAfter('2028-02-01'), '2028-03-01')
  })
})

describe('a change', () => {
  test.each([
    [0, 0, 0],
    [5, 0, 100],
    [0, 5, -100],
    [5, 5, 0],
    [15, 10, 50],
    [2, 3, -33.33],
    [1, 3, -66.67],
    [300, 100, 200],
  ])('%d after %d is %d percent', (now, before, change) => {
    assert.equal(changeOf(now, before), change)
  })
})
