import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/cryptocurrency'
import { describe, test } from 'vitest'
import { aSeller } from '#test/factories'
import { useServer } from '#test/harness'

const server = useServer()

describe('GET /cryptocurrency/enabled', () => {
  test('is empty while no cryptocurrency can be taken', async () => {
    const seller = await aSeller(server)
    const { reply } = await seller.call(contract.listEnabledCryptocurrencies)
    assert.deepEqual([reply.success, reply.data], [true, []])
  })

  test('needs its own scope', async () => {
    const seller = await aSeller(server, { scopes: ['ViewCryptoBalance'] })
    const refused = await seller.call(contract.listEnabledCryptocurrencies)
    assert.deepEqual(refused.refused, { status: 403, code: 'AccessDenied' })
  })
})

describe('GET /cryptocurrency/balance', () => {
  test('has an entry for each cryptocurrency that is taken: none', async () => {
    const seller = await aSeller(server)
    const { reply } = await seller.call(contract.listCryptoBalances)
    assert.deepEqual([reply.success, reply.data], [true, []])
  })
})
