import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Every chunk of a stream is a buffer outside the heap, small to the collector and large to the machine: left alone, it
 * lets more than 60 MB of them pile up before it looks. Collecting the youngest objects takes about a millisecond.
 */
const bytesBetween = 8 * 2 ** 20

let collect: (() => void) | undefined
let bytes = 0

/** Told of every chunk that passes through; keeps the memory of a process flat while it stores much. */
export function countPassed(chunk: Buffer): void {
  bytes += chunk.length
  if (bytes < bytesBetween) return
  bytes = 0
  collect ??= openCollector()
  collect()
}

function openCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc: (options: { type: 'minor' }) => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return () => gc({ type: 'minor' })
}
