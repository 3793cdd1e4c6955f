// Loaded into the server before its own code, with --expose-gc: says what it holds once all that can go has gone.

process.on('message', (message) => {
  if (message !== 'held') return
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({ held: heapUsed + external, resident: process.memoryUsage.rss() })
})
