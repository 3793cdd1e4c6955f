import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'vitest'
import { createTurns } from './turns.ts'

test('no more than so many at once, in the order they came, whatever fails; a full queue refuses', async () => {
  const inTurn = createTurns({ atOnce: 2, waitingMax: 8 })
  const begun: number[] = []
  let running = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) =>
      inTurn(async () => {
        begun.push(index)
        running += 1
        most = Math.max(most, running)
        await sleep(1)
        running -= 1
        if (index % 3 === 0) throw new Error('no')
        return index
      }),
    ),
  )
  assert.equal(most, 2)
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  assert.deepEqual(
    results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    [1, 2, 4, 5, 7, 8],
  )
  assert.equal(await inTurn(async () => 'free again'), 'free again')
})
