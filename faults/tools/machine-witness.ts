import { clock } from './clock.ts'

// Wakes up all the time, before everything else on its processor, and tells when it could not: then nothing ran there.

const everyMs = 2
const pauseMsMin = 5

let due = 0
process.send?.('here')
wait()

function wait(): void {
  due = clock() + everyMs
  setTimeout(look, everyMs)
}

function look(): void {
  const now = clock()
  if (now - due > pauseMsMin) process.send?.({ from: due, to: now })
  wait()
}

// Nobody is left to be told.
process.once('disconnect', () => process.exit())
