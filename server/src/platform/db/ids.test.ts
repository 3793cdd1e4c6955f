import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isUuid, newId, newIds } from './ids.ts'
import { paginate } from './paging.ts'

test('ids are canonical UUIDv7, unique, and sort as they were made', () => {
  const ids = Array.from({ length: 50_000 }, newId)
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.ok(Math.abs(Number.parseInt(newId().replace('-', '').slice(0, 12), 16) - Date.now()) < 1_000)
})

test('many ids at once are the same kind, and sort among the others as they were made', () => {
  const ids = [newId(), ...newIds(0x10000), newId(), ...newIds(1), ...newIds(0), ...newIds(2)]
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids).size, 1 + 0x10000 + 1 + 1 + 2)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test.each([
  ['01890a5d-ac96-774b-bcce-b302099a8057', true],
  ['01890A5D-AC96-774B-BCCE-B302099A8057', false],
  ['{01890a5d-ac96-774b-bcce-b302099a8057}', false],
  ['01890a5dac96774bbcceb302099a8057', false],
  ['01890a5d-ac96-774b-bcce-b302099a8057\n', false],
  ['', false],
])('%j is an id: %j', (text, expected) => {
  assert.equal(isUuid(text), expected)
})

test.each([
  [
    { page: 1, count: 2 },
    { pages: 3, data: [1, 2] },
  ],
  [
    { page: 3, count: 2 },
    { pages: 3, data: [5] },
  ],
  [
    { page: 4, count: 2 },
    { pages: 3, data: [] },
  ],
  [
    { page: 1e30, count: 100 },
    { pages: 1, data: [] },
  ],
])('page %j of five rows', async (paging, expected) => {
  const rows = [1, 2, 3, 4, 5]
  const select = async ({ limit, offset }: { limit: number; offset: number }) => rows.slice(offset, offset + limit)
  assert.deepEqual(await paginate(paging, async () => rows.length, select), expected)
})

test('a list of nothing has no pages', async () => {
  assert.deepEqual(
    await paginate(
      { page: 1, count: 15 },
      async () => 0,
      async () => [1],
    ),
    { pages: 0, data: [] },
  )
})
