import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/webhooks'
import { getStore } from '@keystall/contract/endpoints/stores'
import { Webhook } from 'standardwebhooks'
import { describe, test } from 'vitest'
import { aSeller } from '#test/factories'
import { useServer } from '#test/harness'
import { aReceiver, stopReceivers } from '#test/receiver'

const server = useServer({ hasJobs: false, env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32' } })
stopReceivers()

describe('POST /stores/{storeId}/webhooks/test-request', () => {
  test('the exact request and answer are told, and the signature is good', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => {
      response.setHeader('content-type', 'application/json')
      response.end('{"items":["KEY-1","KEY-2"]}')
    })
    const body = { webhookUrl: receiver.url, productName: 'Game', quantity: 2, customValueKeys: ['Nick'] }
    const { data } = await seller.call(contract.sendTestRequest, { body })
    assert.deepEqual(
      { isSuccess: data.isSuccess, status: data.status, answer: data.answer, items: data.items, failure: data.failure },
      { isSuccess: true, status: 200, answer: '{"items":["KEY-1","KEY-2"]}', items: ['KEY-1', 'KEY-2'], failure: null },
    )
    const [got] = receiver.received
    assert.equal(got?.body, data.body)
    for (const [name, value] of Object.entries(data.headers)) assert.equal(got?.headers[name], value)
    const { webhookSecret } = (await seller.call(getStore)).data
    const asked = Object(new Webhook(webhookSecret).verify(data.body, data.headers))
    assert.equal(asked.type, 'product.dynamic')
    assert.deepEqual(
      [asked.data.productName, asked.data.quantity, asked.data.customValues, asked.data.metadata],
      ['Game', 2, [{ key: 'Nick', value: 'Test' }], { test: 'true' }],
    )
  })

  test.each([
    ['a failing receiver', 500, 'text/plain', 'no', 'The receiver answered 500'],
    ['an answer that is no item', 200, 'text/html', '<p>', 'The answer is neither text/plain nor JSON'],
  ])('%s is told with its answer', async (_, status, type, text, failure) => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => {
      response.writeHead(status, { 'content-type': type }).end(text)
    })
    const { data } = await seller.call(contract.sendTestRequest, { body: { webhookUrl: receiver.url } })
    assert.deepEqual([data.isSuccess, data.status, data.answer, data.failure], [false, status, text, failure])
  })

  test('an address inside our network is not called', async () => {
    const seller = await aSeller(server)
    const inside = await seller.call(contract.sendTestRequest, { body: { webhookUrl: 'http://127.0.0.1:8081/hook' } })
    assert.deepEqual([inside.status, inside.data.isSuccess, inside.data.status], [200, false, null])
    assert.match(inside.data.failure ?? '', /internal/)
    const none = await seller.call(contract.sendTestRequest, { body: { webhookUrl: 'ftp://example.com' } })
    assert.deepEqual(Object.keys(none.refused?.fields ?? {}), ['webhookUrl'])
  })
})
