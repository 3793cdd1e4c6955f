import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/faq'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aSeller } from '#test/factories'
import { useServer } from '#test/harness'

const server = useServer({ hasJobs: false })

describe('PUT /stores/{storeId}/faq', () => {
  test('the title becomes the key, the description the value, oldest first', async () => {
    const seller = await aSeller(server)
    const one = await seller.call(contract.addFaqEntry, { body: { title: 'Why?', description: '**Because.**' } })
    const two = await seller.call(contract.addFaqEntry, { body: { title: 'How?', description: 'So.' } })
    assert.deepEqual(Object.keys(one.data).toSorted(), ['dateCreated', 'id', 'key', 'value'])
    assert.equal(one.data.key, 'Why?')
    assert.equal(one.data.value, '**Because.**')
    assert.deepEqual((await seller.call(contract.listFaqEntries)).data, [one.data, two.data])
  })

  test.each([
    ['title', { title: '' }],
    ['title', { title: 'x'.repeat(257) }],
    ['title', { title: 'a\u202eb' }],
    ['title', { title: undefined }],
    ['description', { description: ' ' }],
    ['description', { description: 'x'.repeat(100_001) }],
    ['description', { description: '![x](https://evil.example/x.png)' }],
    ['description', { description: null }],
  ])('a wrong %s is named', async (field, wrong) => {
    const seller = await aSeller(server)
    const { refused } = await seller.call(contract.addFaqEntry, { body: { title: 'Q', description: 'A', ...wrong } })
    assert.equal(refused?.status, 400)
    assert.deepEqual(Object.keys(refused?.fields ?? {}), [field])
  })

  test('a store has at most 200 entries', async () => {
    const seller = await aSeller(server)
    const entries = Array.from({ length: 200 }, () => ({
      storeId: seller.storeId,
      id: newId(),
      question: 'Q',
      answer: 'A',
    }))
    await server.platform.db.insertInto('faqEntries').values(entries).execute()
    const { refused } = await seller.call(contract.addFaqEntry, { body: { title: 'One more', description: 'A' } })
    assert.deepEqual(refused, { status: 409, code: 'ObjectConflict' })
  })
})

describe('DELETE /stores/{storeId}/faq/{faqId}', () => {
  test('removes the entry; an unknown or foreign one is not found', async () => {
    const [mine, theirs] = await Promise.all([aSeller(server), aSeller(server)])
    const body = { title: 'Q', description: 'A' }
    const own = (await mine.call(contract.addFaqEntry, { body })).data
    const foreign = (await theirs.call(contract.addFaqEntry, { body })).data

    assert.equal((await mine.call(contract.removeFaqEntry, { path: { faqId: own.id } })).data, null)
    for (const faqId of [own.id, foreign.id, newId(), 'nonsense']) {
      const { refused } = await mine.call(contract.removeFaqEntry, { path: { faqId } })
      assert.deepEqual(refused, { status: 404, code: 'NotFound' })
    }
    assert.deepEqual((await mine.call(contract.listFaqEntries)).data, [])
    assert.deepEqual((await theirs.call(contract.listFaqEntries)).data, [foreign])
  })
})

describe('PUT /stores/{storeId}/faq/{faqId}', () => {
  test('changes the entry where it stands, by the rules of a new one', async () => {
    const seller = await aSeller(server)
    const add = async (title: string) =>
      (await seller.call(contract.addFaqEntry, { body: { title, description: 'A' } })).data
    const [one, two] = [await add('One?'), await add('Two?')]
    const path = { faqId: one.id }
    const changed = await seller.call(contract.updateFaqEntry, { path, body: { title: 'First?', description: 'Yes.' } })
    assert.deepEqual(changed.data, { ...one, key: 'First?', value: 'Yes.' })
    assert.deepEqual((await seller.call(contract.listFaqEntries)).data, [changed.data, two])
    const wrong = await seller.call(contract.updateFaqEntry, { path, body: { title: 'a\u202eb', description: 'A' } })
    assert.deepEqual(Object.keys(wrong.refused?.fields ?? {}), ['title'])
  })
})

describe('PATCH /stores/{storeId}/faq', () => {
  test('the named ones come first, the others behind them as they were', async () => {
    const [mine, theirs] = await Promise.all([aSeller(server), aSeller(server)])
    const ids: string[] = []
    for (const title of ['a', 'b', 'c', 'd']) {
      ids.push((await mine.call(contract.addFaqEntry, { body: { title, description: 'A' } })).data.id)
    }
    const foreign = (await theirs.call(contract.addFaqEntry, { body: { title: 'x', description: 'A' } })).data.id
    const [, , c = '', d = ''] = ids
    await mine.call(contract.arrangeFaq, { body: { ids: [d, c, foreign] } })
    const shown = (await mine.call(contract.listFaqEntries)).data.map(({ key }) => key)
    assert.deepEqual(shown, ['d', 'c', 'a', 'b'])
    await mine.call(contract.addFaqEntry, { body: { title: 'e', description: 'A' } })
    assert.equal((await mine.call(contract.listFaqEntries)).data.at(-1)?.key, 'e')
  })
})
