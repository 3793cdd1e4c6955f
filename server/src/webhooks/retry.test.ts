import { assert, describe, test } from 'vitest'
import { nextTrySeconds, retryAfterSeconds, trySeconds } from './retry.ts'

describe('the retry table', () => {
  test('a message is tried 13 times over two and a half days', () => {
    assert.deepEqual([...trySeconds], [0, 5, 30, 120, 600, 1800, 3600, 10800, 21600, 43200, 43200, 43200, 43200])
    assert.equal(nextTrySeconds(12, 0, 0.5), 43_200)
    assert.equal(nextTrySeconds(13), undefined)
  })

  test('pauses are spread by a tenth', () => {
    assert.equal(nextTrySeconds(2, 0, 0), 27)
    assert.equal(nextTrySeconds(2, 0, 1), 33)
  })

  test('a receiver may ask for more time, up to a day, and not for less', () => {
    assert.equal(nextTrySeconds(1, 60, 0.5), 60)
    assert.equal(nextTrySeconds(3, 1, 0.5), 120)
    assert.equal(nextTrySeconds(1, 999_999_999, 0.5), 86_400)
  })

  test('Retry-After is seconds or a date, and nonsense is nothing', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    assert.equal(retryAfterSeconds('120', now), 120)
    assert.equal(retryAfterSeconds('Thu, 01 Jan 2026 00:02:00 GMT', now), 120)
    assert.equal(retryAfterSeconds('Wed, 31 Dec 2025 00:00:00 GMT', now), 0)
    for (const text of [undefined, '', '-5', '1e3', 'soon', '12345678901234'])
      assert.equal(retryAfterSeconds(text, now), 0)
  })
})
