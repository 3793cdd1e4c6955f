import assert from 'node:assert/strict'
import { onTestFinished, test, vi } from 'vitest'
import { createAlarm } from './wake.ts'

test('an alarm that is set while nobody sleeps rings in the next sleep, at its own time and once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const alarm = createAlarm()
  let awakenings = 0
  const sleep = () => void alarm.sleep(5000).then(() => (awakenings += 1))

  alarm.ringWithin(20)
  alarm.ringWithin(300)
  await vi.advanceTimersByTimeAsync(5)
  sleep()
  await vi.advanceTimersByTimeAsync(14)
  assert.equal(awakenings, 0)
  await vi.advanceTimersByTimeAsync(1)
  assert.equal(awakenings, 1)

  sleep()
  await vi.advanceTimersByTimeAsync(4999)
  assert.equal(awakenings, 1)
  await vi.advanceTimersByTimeAsync(1)
  assert.equal(awakenings, 2)

  alarm.ringWithin(0)
  sleep()
  await vi.advanceTimersByTimeAsync(0)
  assert.equal(awakenings, 3)
})
