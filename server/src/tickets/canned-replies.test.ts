import * as contract from '@keystall/contract/endpoints/tickets'
import { assert, describe, test } from 'vitest'
import { aSeller } from '#test/factories'
import { useServer } from '#test/harness'

const server = useServer()

describe('PUT /stores/{storeId}/tickets/canned-replies', () => {
  test('the list is kept for the store alone and replaces the former', async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    assert.deepEqual((await seller.call(contract.listCannedReplies)).data, [])
    const replies = [
      { title: 'Greeting', message: 'Hello' },
      { title: 'Key', message: 'Here is another key.' },
    ]
    assert.deepEqual((await seller.call(contract.updateCannedReplies, { body: { replies } })).data, replies)
    await seller.call(contract.updateCannedReplies, { body: { replies: replies.slice(1) } })
    assert.deepEqual((await seller.call(contract.listCannedReplies)).data, replies.slice(1))
    assert.deepEqual((await other.call(contract.listCannedReplies)).data, [])
  })

  test('a title is there once, and neither part is empty', async () => {
    const seller = await aSeller(server)
    const reply = { title: 'Key', message: 'Hello' }
    for (const replies of [
      [reply, { ...reply, title: ' key' }],
      [{ ...reply, title: ' ' }],
      [{ ...reply, message: '' }],
      [{ ...reply, message: 'x'.repeat(2049) }],
    ]) {
      assert.equal((await seller.call(contract.updateCannedReplies, { body: { replies } })).status, 400)
    }
  })
})
