import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'vitest'
import { createTurnstile } from './turnstile.ts'

test('of many that come at once a few begin, then what is under way goes on; none is left out, and none overtakes', async () => {
  const enter = createTurnstile()
  const seen: (number | 'else')[] = []
  const wanted = Array.from({ length: 40 }, (_, number) => number)
  const all = new Promise<void>((resolve) => {
    for (const number of wanted) {
      enter(() => {
        seen.push(number)
        if (number === 39) resolve()
      })
    }
  })
  const atOnce = seen.length
  // Read from a disk, as others wait for a database.
  const others = readFile(import.meta.filename).then(() => seen.push('else'))
  // One that comes later waits behind those that came before.
  setImmediate(() => enter(() => seen.push(40)))
  await Promise.all([all, others])
  await new Promise((resolve) => setTimeout(resolve, 20))

  assert.ok(atOnce > 0 && atOnce < 10, `${atOnce} began at once`)
  assert.deepEqual(
    seen.filter((each) => each !== 'else'),
    [...wanted, 40],
  )
  assert.ok(seen.includes('else'))
})

test('who comes alone begins at once', () => {
  const enter = createTurnstile()
  let isBegun = false
  enter(() => (isBegun = true))
  assert.ok(isBegun)
})
