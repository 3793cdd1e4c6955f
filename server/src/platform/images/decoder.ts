import { decodeImage } from './decoding.ts'
import type { Decoding } from './picture.ts'

// The process that `cleanImage` starts. It ends with whoever started it.
process.on('disconnect', () => process.exit())
process.on('message', async ({ id, ...decoding }: Decoding & { id: number }) => {
  process.send?.({ id, result: await decodeImage(decoding) })
})
