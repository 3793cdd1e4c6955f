import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, test } from 'vitest'
import { keeping } from '../../faults/mutants/keeping.ts'
import { lettingIn } from '../../faults/mutants/letting-in.ts'
import { broken } from '../../faults/mutants/mutant.ts'
import { own } from '../../faults/mutants/own.ts'
import { root } from './imports.ts'

// `npm run mutants` shows that each is caught; that each can still be applied is seen here, at every change.
test('every mutant still breaks the source, in exactly one place', () => {
  const mutants = [...keeping, ...lettingIn, ...own]
  assert.deepEqual(
    mutants.map(({ number }) => number),
    mutants.map((_, index) => index + 1),
  )
  const texts = new Map<string, string>()
  for (const { number, edits, tests } of mutants) {
    texts.clear()
    for (const file of tests) assert.isNotEmpty(readFileSync(join(root, file)), file)
    for (const edit of edits) {
      const text = texts.get(edit.file) ?? readFileSync(join(root, edit.file), 'utf8')
      const changed = broken(text, edit)
      assert.isDefined(changed, `mutant ${number} is stale: ${edit.file} has not exactly once ${edit.find}`)
      texts.set(edit.file, changed)
    }
  }
})
