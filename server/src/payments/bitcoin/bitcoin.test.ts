import assert from 'node:assert/strict'
import { cancelOwnOrder, payOrder } from '@keystall/contract/endpoints/checkout'
import { listCryptoBalances, listEnabledCryptocurrencies } from '@keystall/contract/endpoints/cryptocurrency'
import { getOrder, listOrderHistory } from '@keystall/contract/endpoints/orders'
import { savePaymentSettings } from '@keystall/contract/endpoints/payment-methods'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { expireOrder } from '#orders/expiry'
import { till } from '#orders/till'
import { transact } from '#platform/db/transaction'
import type { Seller } from '#test/factories'
import { call, type TestServer, useServer } from '#test/harness'
import { aRegtest } from '#test/regtest'
import { aProduct, aShop, anOrder, pay } from '#test/shop'
import { heldBack, killWatchers } from '#test/watchers'
import { loadAnyStore } from '../account.ts'
import type { Chain } from '../chain/chain.ts'
import { watchChain } from '../chain/watch.ts'
import { bitcoinChain } from './bitcoin.ts'

const chain = await aRegtest()
const env = { BITCOIN_NODE_URL: chain.nodeUrl, BITCOIN_NETWORK: 'regtest', RATES: 'BTC-USD=60000' }
const server: TestServer = useServer({ env, hasJobs: false })
afterAll(() => chain.stop())

const watch = () => watchChain(server.platform, till, bitcoinChain)
const save = (seller: Seller, settings: Record<string, unknown>) =>
  seller.call(savePaymentSettings, { path: { method: 'bitcoin' }, body: { settings } })

let shop: Seller
beforeAll(async () => {
  shop = await aShop(server)
  await save(shop, { isMadeHere: true })
})

async function anOpenOrder({ seller = shop, items = 1 } = {}) {
  const product = await aProduct(seller, { items })
  const order = await anOrder(seller, product, { gateway: 'bitcoin' })
  const begin = async () => {
    const { data } = await call(server, payOrder, { path: { orderId: order.id } }, { orderKey: order.key })
    return { ...data, address: data.address ?? '', amount: Number(data.amount) }
  }
  const read = async () => (await seller.call(getOrder, { path: { orderId: order.id } })).reply
  return {
    ...{ order, product, begin, read, ...(await begin()) },
    status: async () => (await read()).status,
    kinds: async () =>
      (await seller.call(listOrderHistory, { path: { orderId: order.id } })).data.map(({ kind }) => kind),
    payments: () =>
      server.platform.db
        .selectFrom('payments')
        .select(['externalId', 'kind', 'amountMinor', 'isSurplus'])
        .where('storeId', '=', seller.storeId)
        .where('orderId', '=', order.id)
        .orderBy('dateCreated')
        .orderBy('id')
        .execute(),
  }
}

const mined = async (count = 1) => {
  await chain.mine(count)
  await watch()
}

describe('PUT /stores/{storeId}/payment-methods/bitcoin', () => {
  test('a wallet is made here: its words are shown once, and it stays', async () => {
    const seller = await aShop(server)
    const first = await save(seller, { isMadeHere: true })
    assert.match(first.data.shownOnce ?? '', /^([a-z]+ ){11}[a-z]+$/)
    const again = await save(seller, { isMadeHere: true, confirmations: '2' })
    assert.equal(again.data.shownOnce, null)
    assert.deepEqual(again.data.facts, first.data.facts)
    assert.match(again.data.facts[0]?.value ?? '', /^bcrt1q/)
  })

  test('another wallet, given the words, spends what an order brought', async () => {
    const seller = await aShop(server)
    const { data } = await save(seller, { isMadeHere: true })
    const { address, amount } = await anOpenOrder({ seller })
    const paid = await chain.pay(address, amount)
    assert.equal(chain.isSpentBy(data.shownOnce ?? '', "m/84'/0'/0'/0/0", paid), true)
    assert.equal(chain.isSpentBy(data.shownOnce ?? '', "m/84'/0'/0'/0/1", paid), false)
  })

  test('keys that cannot be used are refused by name', async () => {
    const reasonOf = async (settings: Record<string, unknown>, field = 'extendedKey') =>
      (await save(shop, settings)).refused?.fields?.[`settings.${field}`]
    assert.match(
      (await reasonOf({
        extendedKey:
          'tprv8gRrNu65W2Msef2BdBSUgFdRTGzC8EwVXnV7UGS3faeXtuMVtGfEdidVeGbThs4ELEoayCAzZQ4uUji9DUiAs7erdVskqju7hrBcDvDsdbY',
      })) ?? '',
      /private/,
    )
    assert.match((await reasonOf({ extendedKey: 'tpubX' })) ?? '', /is no extended public key/)
    assert.match(
      (await reasonOf({
        extendedKey:
          'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
      })) ?? '',
      /must begin with one of vpub/,
    )
    assert.match(
      (await reasonOf({ isMadeHere: true, confirmations: 'some' }, 'confirmations')) ?? '',
      /must be a number/,
    )
    const other = await shop.call(savePaymentSettings, {
      path: { method: 'litecoin' },
      body: { settings: { isMadeHere: true } },
    })
    assert.equal(other.refused?.status, 409)
  })
})

describe('an order paid in bitcoin', () => {
  test('is pending once the payment is seen, and delivered with its confirmation', async () => {
    const { address, amount, uri, begin, status, read } = await anOpenOrder()
    assert.match(address, /^bcrt1q/)
    assert.deepEqual([amount, uri], [0.00016667, `bitcoin:${address}?amount=0.00016667`])
    assert.deepEqual((await begin()).address, address)
    assert.deepEqual((await read()).cryptocurrencyAddress, address)
    await watch()
    assert.equal(await status(), 'Incomplete')
    await chain.pay(address, amount)
    await watch()
    assert.equal(await status(), 'Pending')
    await watch()
    assert.equal(await status(), 'Pending')
    await mined()
    assert.equal(await status(), 'Delivered')
  })

  test('in two transactions, as if it were one', async () => {
    const { address, amount, status, payments } = await anOpenOrder()
    await chain.pay(address, 0.00005555)
    await watch()
    await chain.pay(address, amount - 0.00005555)
    await mined()
    assert.equal(await status(), 'Delivered')
    const rows = await payments()
    assert.deepEqual([rows.length, rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0)], [2, 1000])
  })

  test('short by so little that nobody could send the rest, as if it were whole', async () => {
    const { address, amount, status, read } = await anOpenOrder()
    await chain.pay(address, amount - 0.00000001)
    await mined()
    assert.deepEqual([await status(), (await read()).amountPaid], ['Delivered', 10])
    const product = await aProduct(shop, { items: 1, cost: 0.1 })
    const small = await anOrder(shop, product, { gateway: 'bitcoin' })
    const { data } = await call(server, payOrder, { path: { orderId: small.id } }, { orderKey: small.key })
    assert.equal(data.amount, '0.00000546')
  })

  test('with too little, waits for the rest and says how much that is', async () => {
    const { address, begin, status, read } = await anOpenOrder()
    await chain.pay(address, 0.0001)
    await mined()
    assert.deepEqual([await status(), (await read()).amountPaid], ['PartiallyPaid', 5.99])
    const rest = await begin()
    assert.deepEqual([rest.address, rest.amount], [address, 0.00006684])
    await chain.pay(address, rest.amount)
    await watch()
    assert.equal(await status(), 'Pending')
    await mined()
    assert.equal(await status(), 'Delivered')
  })

  test('with too much: the surplus is kept apart, to be refunded', async () => {
    const { address, status, payments, kinds } = await anOpenOrder()
    const { txid } = await chain.pay(address, 0.00025)
    await mined()
    assert.equal(await status(), 'Delivered')
    assert.deepEqual(
      (await payments()).map(({ externalId, amountMinor, isSurplus }) => [externalId, amountMinor, isSurplus]),
      [
        [`${txid}:0`, 1000, false],
        [`${txid}:0:surplus`, 499, true],
      ],
    )
    assert.ok((await kinds()).includes('paid-again'))
  })

  test('after it ended takes its stock again, at what the coin is worth by then', async () => {
    const late = await anOpenOrder()
    const sold = await anOpenOrder()
    const { db } = server.platform
    await sql`update orders set expires_at = now() where id = ${late.order.id}`.execute(db)
    const store = await loadAnyStore(db, shop.storeId)
    await transact(db, (tx) => expireOrder({ tx, platform: server.platform, store, actor: null }, late.order.id))
    assert.equal(await late.status(), 'Cancelled')
    await call(server, cancelOwnOrder, { path: { orderId: sold.order.id } }, { orderKey: sold.order.key })
    await pay(server, await anOrder(shop, sold.product))
    await sql`update crypto_dues set date_created = date_created - interval '1 hour', expires_at = now() - interval '30 minutes'`.execute(
      db,
    )
    await sql`update crypto_rates set rate = 30000, fetched_at = now()`.execute(db)
    await chain.pay(late.address, late.amount)
    await watch()
    assert.equal(await late.status(), 'Pending')
    await mined()
    assert.deepEqual([await late.status(), (await late.read()).amountPaid], ['PartiallyPaid', 5])
    await sql`update crypto_rates set rate = 60000, fetched_at = now()`.execute(db)
    await chain.pay(late.address, (await late.begin()).amount)
    await chain.pay(sold.address, sold.amount)
    await mined()
    assert.deepEqual([await late.status(), await sold.status()], ['Delivered', 'Undeliverable'])
  })

  test('replaced by a higher fee: one payment counts; replaced by nothing for us, it waits again', async () => {
    const bumped = await anOpenOrder()
    const cheated = await anOpenOrder()
    const first = await chain.pay(bumped.address, bumped.amount)
    const second = await chain.pay(cheated.address, cheated.amount)
    await watch()
    const replacement = await chain.replace(first)
    await chain.replace(second, { address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' })
    await watch()
    assert.deepEqual([await bumped.status(), await cheated.status()], ['Pending', 'Incomplete'])
    await mined()
    assert.deepEqual([await bumped.status(), await cheated.status()], ['Delivered', 'Incomplete'])
    assert.deepEqual(
      (await bumped.payments()).map(({ externalId }) => externalId),
      [`${replacement.txid}:0`],
    )
    assert.deepEqual([await cheated.payments(), (await cheated.kinds()).includes('declined')], [[], true])
  })

  test('reorganised out and in again: confirmations are counted anew, and the money once', async () => {
    const seller = await aShop(server)
    await save(seller, { isMadeHere: true, confirmations: '1, 2 from 10' })
    const { address, amount, status, payments } = await anOpenOrder({ seller })
    await chain.pay(address, amount)
    await mined()
    assert.equal(await status(), 'Pending')
    await chain.reorganise(1)
    await watch()
    assert.equal(await status(), 'Pending')
    await mined()
    assert.equal(await status(), 'Pending')
    await mined()
    assert.equal(await status(), 'Delivered')
    await chain.reorganise(3)
    await watch()
    await mined(3)
    assert.deepEqual([await status(), (await payments()).length], ['Delivered', 1])
  })

  test('reorganised out for good after delivery is a dispute, which ends when it is paid after all', async () => {
    const { address, amount, status, kinds, payments } = await anOpenOrder()
    const elsewhere = { address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' }
    const amounts = async (of: string) =>
      (await payments()).filter(({ kind }) => kind === of).map(({ amountMinor }) => amountMinor)
    const paid = [await chain.pay(address, 0.00005), await chain.pay(address, amount - 0.00005)]
    await mined()
    assert.equal(await status(), 'Delivered')
    const parts = await amounts('payment')
    assert.deepEqual([parts.length, await amounts('dispute')], [2, []])
    await chain.reorganise(1)
    for (const each of paid) assert.notEqual((await chain.replace(each, elsewhere)).txid, each.txid)
    await mined()
    assert.deepEqual([await status(), (await kinds()).includes('reorganised')], ['Disputed', true])
    assert.deepEqual(new Set(await amounts('dispute')), new Set(parts))
    await mined()
    assert.equal((await amounts('dispute')).length, 2)

    const again = await chain.pay(address, amount)
    await mined()
    assert.deepEqual([await status(), await amounts('payment')], ['Delivered', parts])
    await chain.reorganise(1)
    await chain.replace(again, elsewhere)
    await mined()
    assert.equal(await status(), 'Disputed')
  })

  test('while the node is away or catches up nothing changes; afterwards nothing is missing', async () => {
    const { address, amount, status } = await anOpenOrder()
    await watch()
    chain.state.isAway = true
    await chain.pay(address, amount)
    await assert.rejects(watch(), /the node does not answer/)
    await chain.mine(2)
    await assert.rejects(watch(), /the node does not answer/)
    assert.equal(await status(), 'Incomplete')
    chain.state.isAway = false
    await watch()
    assert.equal(await status(), 'Delivered')
    chain.state.blocksBehind = 3
    await assert.rejects(watch(), /still catching up/)
    chain.state.blocksBehind = 0
    await watch()
    assert.equal(await status(), 'Delivered')
  })

  test('whoever has never read, or read a chain that is no more, begins early enough', async () => {
    const { db } = server.platform
    for (const isUnknown of [false, true]) {
      const { address, amount, status } = await anOpenOrder()
      await chain.pay(address, amount)
      await chain.mine()
      await sql`delete from crypto_cursors where method = 'bitcoin'`.execute(db)
      const cursor = { height: chain.node.chain.height, hash: 'ab'.repeat(32) }
      if (isUnknown) {
        await sql`
          insert into crypto_cursors (method, version, tip, cursor)
          values ('bitcoin', 1, ${cursor.height}, ${JSON.stringify(cursor)}::jsonb)
        `.execute(db)
      }
      await watch()
      assert.equal(await status(), 'Delivered')
    }
  })

  test('what a slow watcher read before another is not written over what that one found', async () => {
    const { address, amount, status } = await anOpenOrder()
    const paid = await chain.pay(address, amount)
    await watch()
    chain.drop(paid)
    const gate = Promise.withResolvers<void>()
    const hasRead = Promise.withResolvers<void>()
    const reader: Chain['reader'] = (platform) => {
      const read = bitcoinChain.reader(platform)
      return (
        read &&
        (async (book) => {
          const seen = await read(book)
          hasRead.resolve()
          await gate.promise
          return seen
        })
      )
    }
    const slow = watchChain(server.platform, till, { ...bitcoinChain, reader })
    await hasRead.promise
    await chain.node.mempool.addTX(paid.tx)
    await mined()
    assert.equal(await status(), 'Delivered')
    gate.resolve()
    await slow
    assert.equal(await status(), 'Delivered')
  })

  test('five watchers at once tell of it once', async () => {
    const { address, amount, status, kinds, payments } = await anOpenOrder({ items: 2 })
    await watch()
    await chain.pay(address, amount)
    await chain.mine()
    const all = await heldBack(server, sql`select from orders for update`, () => {
      const watching = Promise.all(Array.from({ length: 5 }, watch))
      return { count: 5, whenHeld: () => ({ watching }) }
    })
    await all.watching
    assert.equal(await status(), 'Delivered')
    assert.deepEqual([(await payments()).length, (await kinds()).filter((kind) => kind === 'delivered').length], [1, 1])
  })

  test.for([
    ['between seeing and recording', sql`lock table crypto_sightings in exclusive mode`],
    ['between recording and telling', sql`select from crypto_addresses for update`],
    ['while telling', sql`select from orders for update`],
  ] as const)('killed %s, the watcher goes on where it was', async ([, lock]) => {
    const { address, amount, status, kinds, payments } = await anOpenOrder()
    await watch()
    await chain.pay(address, amount)
    await chain.mine()
    await killWatchers(server, env, ['bitcoin'], lock)
    assert.equal(await status(), 'Incomplete')
    await watch()
    assert.equal(await status(), 'Delivered')
    assert.deepEqual([(await payments()).length, (await kinds()).filter((kind) => kind === 'delivered').length], [1, 1])
  })
})

describe('GET /cryptocurrency', () => {
  test('tells what is taken, what came, what waits, and what the seller has moved on', async () => {
    const seller = await aShop(server)
    await save(seller, { isMadeHere: true })
    const { address, amount } = await anOpenOrder({ seller })
    const paid = await chain.pay(address, amount)
    await watch()
    const balances = async () => (await seller.call(listCryptoBalances)).data
    const none = { available: 0, availableUsd: 0, pending: 0, pendingUsd: 0 }
    assert.deepEqual((await seller.call(listEnabledCryptocurrencies)).data, ['bitcoin'])
    assert.deepEqual(await balances(), [{ ...none, cryptoCode: 'bitcoin', pending: amount, pendingUsd: 10 }])
    await mined()
    assert.deepEqual(await balances(), [{ ...none, cryptoCode: 'bitcoin', available: amount, availableUsd: 10 }])
    await chain.spend(paid)
    await watch()
    assert.deepEqual(await balances(), [{ ...none, cryptoCode: 'bitcoin' }])
  })
})
