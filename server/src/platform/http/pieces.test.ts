import { assert, test } from 'vitest'
import { gatherPieces } from './pieces.ts'

test('what comes byte by byte is whole in the end, and gone when it is dropped', () => {
  const text = 'abcdefghij'.repeat(10_000)
  const pieces = gatherPieces()
  for (const letter of text) {
    // As a parser cuts them: each keeps all that was read at once.
    const slab = Buffer.from(`1\r\n${letter}\r\n`)
    pieces.add(slab.subarray(3, 4))
  }
  assert.equal(pieces.whole().toString(), text)
  pieces.drop()
  assert.equal(pieces.whole().length, 0)
})
