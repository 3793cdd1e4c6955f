import { readFileSync } from 'node:fs'
import { assert, test } from 'vitest'
import { licencePage, licensed, unknownLicences } from './licences.ts'

test('every package that the product is made of has a licence that somebody agreed to', () => {
  assert.deepEqual(unknownLicences(licensed()), [])
  const strange = { name: 'strange', version: '1.0.0', licence: 'MIT AND AGPL-3.0-only', isDirect: true }
  assert.deepEqual(unknownLicences([strange]), ['strange 1.0.0: MIT AND AGPL-3.0-only'])
})

test('the page of licences is as the lock file is: node scripts/licences.ts', () => {
  const page = readFileSync(new URL('../docs/licences.md', import.meta.url), 'utf8')
  assert.equal(page, licencePage(licensed()))
})
