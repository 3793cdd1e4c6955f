import { createServer } from 'node:http'
import { listCryptoBalances } from '@keystall/contract/endpoints/cryptocurrency'
import { sql } from 'kysely'
import { afterAll, assert, beforeAll, test } from 'vitest'
import { aSeller } from '#test/factories'
import { startTestServer } from '#test/harness'
import type { Coin } from './coin.ts'
import { currentRate } from './rate.ts'

const coin: Coin = { method: 'bitcoin', code: 'BTC', decimals: 8, shownDecimals: 8, dustUnits: 546n, uri: () => '' }
const source = { rate: 60_000, asked: 0, isAway: false }
const http = createServer((request, response) => {
  source.asked += 1
  if (source.isAway) request.socket.destroy()
  else response.end(JSON.stringify({ rates: { [request.url?.slice(-3) ?? '']: source.rate } }))
})
let server: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${Object(http.address()).port}/{coin}?in={currency}`
  server = await startTestServer({ env: { RATES_URL: url }, hasJobs: false })
})
afterAll(async () => {
  await server.stop()
  http.close()
})

const age = (minutes: number) =>
  sql`update crypto_rates set fetched_at = now() - make_interval(mins => ${minutes})`.execute(server.platform.db)

test('a rate is asked for once a minute, kept while the source is away, and refused after an hour', async () => {
  const rate = () => currentRate(server.platform, coin, 'USD')
  assert.deepEqual([await rate(), await rate(), source.asked], [60_000, 60_000, 1])
  source.rate = 61_000
  await age(2)
  assert.equal(await rate(), 61_000)

  source.isAway = true
  await age(59)
  assert.equal(await rate(), 61_000)
  await age(61)
  const refused = await rate().catch((error: unknown) => error)
  assert.match(String(refused), /no recent rate of BTC in USD/)
  source.isAway = false
  assert.equal(await rate(), 61_000)
})

test('what is held is listed though the coin is switched off, and what it is worth only by a recent rate', async () => {
  const seller = await aSeller(server)
  const { db } = server.platform
  const hold = (units: number) => sql`
    insert into crypto_sightings (method, txid, position, target, store_id, order_id, units, height)
    values ('bitcoin', ${`t${units}`}, 0, 'x', ${seller.storeId}, ${seller.storeId}, ${units}, 1)
  `
  assert.deepEqual((await seller.call(listCryptoBalances)).data, [])
  await hold(100_000).execute(db)
  source.isAway = true
  await age(59)
  const [held] = (await seller.call(listCryptoBalances)).data
  assert.deepEqual([held?.cryptoCode, held?.available, held?.availableUsd], ['bitcoin', 0.001, 61])
  await age(61)
  assert.deepEqual((await seller.call(listCryptoBalances)).refused, { status: 503, code: 'Unavailable' })
  source.isAway = false
  assert.equal((await seller.call(listCryptoBalances)).data[0]?.availableUsd, 61)
})
