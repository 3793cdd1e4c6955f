import { setImmediate as nextTurn } from 'node:timers/promises'

// Loaded into the server before its own code, with --expose-gc: says what it holds once all that can go has gone.

process.on('message', async (message) => {
  if (message !== 'held') return
  // What lies outside of the heap goes only after its owner has gone.
  for (let times = 0; times < 2; times += 1) {
    globalThis.gc?.()
    await nextTurn()
  }
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({ held: heapUsed + external, resident: process.memoryUsage.rss() })
})
