import assert from 'node:assert/strict'
import { test } from 'vitest'
import { printApi } from './printing.ts'

test('others have their turns while the API description is printed', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  count()
  const document = JSON.parse(String(await printApi()))
  isOver = true

  const { openapi, paths, components } = Object(document)
  assert.equal(openapi, '3.1.0')
  assert.ok(paths['/health'] && components.schemas.Failure)
  assert.ok(turns > Object.keys(paths).length, `${turns} turns for ${Object.keys(paths).length} paths`)
})
