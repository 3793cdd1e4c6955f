import { setTimeout as sleep } from 'node:timers/promises'
import { assert, test } from 'vitest'
import { inTurnToRefuse, turnToRefuse } from './refusals.ts'

test('the first is told at once, a few more in turn, and of a crowd whoever is too many at once', async () => {
  // Others may have been refused before, in the same process.
  await turnToRefuse()
  await sleep(100)
  const told: number[] = []
  for (let index = 0; index < 103; index += 1) inTurnToRefuse(() => told.push(index))
  assert.deepEqual(told, [0, 101, 102])

  await sleep(200)
  const inTurn = told.slice(3)
  assert.isAtLeast(inTurn.length, 1)
  assert.isBelow(inTurn.length, 20)
  assert.deepEqual(
    inTurn,
    inTurn.map((_, index) => index + 1),
  )
  while (told.length < 103) await sleep(20)
})
