import { payOrder } from '@keystall/contract/endpoints/checkout'
import { listCryptoBalances, listEnabledCryptocurrencies } from '@keystall/contract/endpoints/cryptocurrency'
import { getOrder, listOrderHistory } from '@keystall/contract/endpoints/orders'
import { savePaymentSettings } from '@keystall/contract/endpoints/payment-methods'
import { HDKey } from '@scure/bip32'
import { sql } from 'kysely'
import { assert, describe, test } from 'vitest'
import { till } from '#orders/till'
import type { Seller } from '#test/factories'
import { aHardhat } from '#test/hardhat'
import { call, type TestServer, useServer } from '#test/harness'
import { aProduct, aShop, anOrder, view } from '#test/shop'
import { killWatchers } from '#test/watchers'
import { unitsOf } from '../chain/amounts.ts'
import type { Chain } from '../chain/chain.ts'
import { watchChain } from '../chain/watch.ts'
import { ethereumChain } from '../ethereum/ethereum.ts'
import { usdcChain } from '../usdc/usdc.ts'
import { addressOf, readAddress } from './address.ts'
import { wordOf } from './sweep.ts'

const chain = await aHardhat()
const coinEnv = {
  ETHEREUM_URL: chain.url,
  ETHEREUM_CHAIN_ID: '31337',
  USDC_CONTRACT: chain.contract,
  RATES: 'ETH-USD=2000,USDC-USD=1',
}
const server: TestServer = useServer({ hasJobs: false, env: coinEnv })

type Method = 'ethereum' | 'usdc'
const chains: Record<Method, Chain> = { ethereum: ethereumChain, usdc: usdcChain }
let made = 0

/** With the public part of an account that only the test has. */
async function aCoinShop(method: Method, confirmations = '2'): Promise<Seller> {
  made += 1
  const account = HDKey.fromMasterSeed(Buffer.alloc(32, made)).derive("m/44'/60'/0'")
  const seller = await aShop(server)
  const settings = { extendedKey: account.publicExtendedKey, confirmations }
  const saved = await seller.call(savePaymentSettings, { path: { method }, body: { settings } })
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  return seller
}

async function anOpenOrder(seller: Seller, method: Method, cost = 10) {
  const order = await anOrder(seller, await aProduct(seller, { items: 2, cost }), { gateway: method })
  const { data: step } = await call(server, payOrder, { path: { orderId: order.id } }, { orderKey: order.key })
  const units = unitsOf(step.amount ?? '', method === 'usdc' ? 6 : 18)
  return { order, step, address: step.address ?? '', units }
}

function pay(method: Method, address: string, units: bigint, given: Record<string, unknown> = {}) {
  return method === 'usdc' ? chain.payToken(address, units, given) : chain.payEther(address, units, given)
}

function look(method: Method) {
  return watchChain(server.platform, till, chains[method])
}

/** Blocks are made and read. */
async function grow(method: Method, blocks = 1): Promise<void> {
  await chain.mine(blocks)
  await look(method)
}

async function stateOf(order: { id: string; key: string }) {
  const { data } = await view(server, order)
  return [data.status, data.amountPaid]
}

async function deliveriesOf(seller: Seller, orderId: string) {
  const { data } = await seller.call(listOrderHistory, { path: { orderId } })
  return data.filter(({ kind }) => kind === 'delivered').length
}

/** The public part of m/44'/60'/0' of "test test test test test test test test test test test junk". */
const junkAccount =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP'

describe('addresses', () => {
  test('follow from the key as other wallets have them, in mixed case', () => {
    const known = HDKey.fromExtendedKey(junkAccount).deriveChild(0).deriveChild(0)
    assert.equal(addressOf(known.publicKey ?? new Uint8Array()), '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
  })

  test('a wrong letter is found', () => {
    const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    assert.equal(readAddress(address.toLowerCase()), address)
    assert.equal(readAddress(address), address)
    assert.isUndefined(readAddress(address.replace('f39F', 'F39f')))
    assert.isUndefined(readAddress('0x12'))
  })
})

describe.each(['ethereum', 'usdc'] as const)('%s', (method) => {
  test('every order has its own address and a payment that wallets open; paid, it waits for its confirmations', async () => {
    const seller = await aCoinShop(method)
    const { order, step, address, units } = await anOpenOrder(seller, method)
    const other = await anOpenOrder(seller, method)
    assert.notEqual(address, other.address)
    const uri =
      method === 'ethereum'
        ? `ethereum:${address}@31337?value=5000000000000000`
        : `ethereum:${chain.contract}@31337/transfer?address=${address}&uint256=10000000`
    assert.equal(step.uri?.toLowerCase(), uri.toLowerCase())
    await look(method)
    assert.deepEqual(await stateOf(order), ['Incomplete', 0])

    const txid = await pay(method, address, units)
    await grow(method)
    assert.deepEqual(await stateOf(order), ['Pending', 0])
    const { data: enabled } = await seller.call(listEnabledCryptocurrencies)
    assert.deepEqual(enabled, [method])
    await grow(method)
    assert.deepEqual(await stateOf(order), ['Delivered', 10])
    const { reply } = await seller.call(getOrder, { path: { orderId: order.id } })
    assert.deepEqual([reply.transactionId, reply.cryptocurrencyAddress], [`${txid}:0`, address])
    const { data: balances } = await seller.call(listCryptoBalances)
    const available = method === 'ethereum' ? 0.005 : 10
    assert.deepEqual(balances, [{ cryptoCode: method, available, availableUsd: 10, pending: 0, pendingUsd: 0 }])
    await grow(method, 2)
    assert.deepEqual([await deliveriesOf(seller, order.id), await stateOf(other.order)], [1, ['Incomplete', 0]])
  })

  test('in two parts, too little, and too much', async () => {
    const seller = await aCoinShop(method, '1')
    const parts = await anOpenOrder(seller, method)
    const much = await anOpenOrder(seller, method)
    await pay(method, parts.address, parts.units / 4n)
    await pay(method, much.address, (much.units * 3n) / 2n)
    await grow(method)
    assert.deepEqual(await stateOf(parts.order), ['PartiallyPaid', 2.5])
    assert.deepEqual(await stateOf(much.order), ['Delivered', 15])
    const { data } = await seller.call(listOrderHistory, { path: { orderId: much.order.id } })
    assert.ok(data.some(({ kind, amount }) => kind === 'paid-again' && amount === 5))
    await pay(method, parts.address, parts.units - parts.units / 4n)
    await grow(method)
    assert.deepEqual(await stateOf(parts.order), ['Delivered', 10])
  })

  test('paid after its end, an order is not forgotten', async () => {
    const seller = await aCoinShop(method, '1')
    const { order, address, units } = await anOpenOrder(seller, method)
    const { db } = server.platform
    await sql`update orders set status = 'Cancelled', is_stock_held = false, expires_at = null where id = ${order.id}`.execute(
      db,
    )
    await sql`update items set order_id = null where order_id = ${order.id}`.execute(db)
    await sql`update crypto_dues set expires_at = now() - interval '1 hour' where order_id = ${order.id}`.execute(db)
    await pay(method, address, units)
    await grow(method)
    assert.deepEqual(await stateOf(order), ['Delivered', 10])
  })

  test('replaced by fee: only what got into a block counts, once', async () => {
    const seller = await aCoinShop(method, '1')
    const [taken, kept] = [await anOpenOrder(seller, method), await anOpenOrder(seller, method)]
    const first = await chain.instead()
    await pay(method, taken.address, taken.units, first(1))
    await look(method)
    await pay(method, chain.rich, taken.units, first(2))
    await grow(method, 2)
    assert.deepEqual(await stateOf(taken.order), ['Incomplete', 0])

    const second = await chain.instead()
    await pay(method, kept.address, kept.units, second(1))
    await look(method)
    const txid = await pay(method, kept.address, kept.units, second(2))
    await grow(method, 2)
    assert.deepEqual([await stateOf(kept.order), await deliveriesOf(seller, kept.order.id)], [['Delivered', 10], 1])
    const { reply } = await seller.call(getOrder, { path: { orderId: kept.order.id } })
    assert.equal(reply.transactionId, `${txid}:0`)
  })

  test('reorganised out before it was final, and in again', async () => {
    const seller = await aCoinShop(method, '3')
    const { order, address, units } = await anOpenOrder(seller, method)
    await look(method)
    const back = await chain.fork()
    await pay(method, address, units)
    await grow(method)
    assert.deepEqual(await stateOf(order), ['Pending', 0])
    await back()
    // The node is behind: that proves nothing.
    await look(method)
    assert.deepEqual(await stateOf(order), ['Pending', 0])
    await grow(method, 3)
    assert.deepEqual(await stateOf(order), ['Incomplete', 0])
    await pay(method, address, units)
    await grow(method, 3)
    assert.deepEqual([await stateOf(order), await deliveriesOf(seller, order.id)], [['Delivered', 10], 1])
  })

  test('reorganised out after it was final, the seller is told; in again, all is well', async () => {
    const seller = await aCoinShop(method, '1')
    const { order, address, units } = await anOpenOrder(seller, method)
    await look(method)
    const back = await chain.fork()
    const txid = await pay(method, address, units)
    await grow(method)
    assert.deepEqual(await stateOf(order), ['Delivered', 10])
    await back()
    await grow(method, 2)
    assert.deepEqual(await stateOf(order), ['Disputed', 10])
    const out = await chain.fork()
    assert.equal(await pay(method, address, units), txid)
    await grow(method)
    assert.deepEqual([await stateOf(order), await deliveriesOf(seller, order.id)], [['Delivered', 10], 1])
    await out()
    await grow(method, 2)
    assert.deepEqual(await stateOf(order), ['Disputed', 10])
  })

  test('a node that is away changes nothing, and what came meanwhile is found', async () => {
    const seller = await aCoinShop(method, '1')
    const { order, address, units } = await anOpenOrder(seller, method)
    chain.state.isAway = true
    await look(method).then(
      () => assert.fail('the node is away'),
      (error: Error) => assert.notInclude(String(error), new URL(chain.url).port),
    )
    await pay(method, address, units)
    // More than is read at a time.
    await chain.mine(60)
    assert.deepEqual(await stateOf(order), ['Incomplete', 0])
    chain.state.isAway = false
    await look(method)
    assert.deepEqual([await stateOf(order), await deliveriesOf(seller, order.id)], [['Delivered', 10], 1])
  })

  test('two watchers at once, and one that ends between reading and telling, count once', async () => {
    const seller = await aCoinShop(method, '1')
    const { order, address, units } = await anOpenOrder(seller, method)
    await pay(method, address, units)
    await chain.mine()
    const broken = { ...till, receive: () => Promise.reject(new Error('the process ended')) }
    await watchChain(
      { ...server.platform, log: server.platform.log.child({}, { level: 'silent' }) },
      broken,
      chains[method],
    )
    assert.deepEqual(await stateOf(order), ['Incomplete', 0])
    await Promise.all([look(method), look(method), look(method)])
    assert.deepEqual([await stateOf(order), await deliveriesOf(seller, order.id)], [['Delivered', 10], 1])
  })
})

test('watchers that are killed between seeing and recording leave nothing half done', async () => {
  const orders = await Promise.all(
    (['ethereum', 'usdc'] as const).map(async (method) => {
      const seller = await aCoinShop(method, '1')
      return { seller, method, ...(await anOpenOrder(seller, method)) }
    }),
  )
  for (const { method, address, units } of orders) await pay(method, address, units)
  await chain.mine()
  await killWatchers(server, coinEnv, ['ethereum', 'usdc'], sql`lock table crypto_sightings in exclusive mode`)
  for (const { seller, method, order } of orders) {
    assert.deepEqual(await stateOf(order), ['Incomplete', 0])
    await look(method)
    assert.deepEqual([await stateOf(order), await deliveriesOf(seller, order.id)], [['Delivered', 10], 1])
  }
})

test('whoever has never read, or read a chain that is no more, begins early enough', async () => {
  const seller = await aCoinShop('ethereum', '1')
  const { db } = server.platform
  for (const isOther of [false, true]) {
    const { order, address, units } = await anOpenOrder(seller, 'ethereum')
    await chain.payEther(address, units)
    await chain.mine()
    const height = Number(await chain.ask('eth_blockNumber'))
    await sql`delete from crypto_cursors where method = 'ethereum'`.execute(db)
    await chain.mine(2)
    const marks = [height, height + 1].map((each) => ({ height: each, hash: '0xother' }))
    if (isOther) {
      await sql`
        insert into crypto_cursors (method, version, tip, cursor)
        values ('ethereum', 1, ${height}, ${JSON.stringify({ marks })}::jsonb)
      `.execute(db)
    }
    await look('ethereum')
    assert.deepEqual(await stateOf(order), ['Delivered', 10])
  }
})

test('a chain that changes while it is read is read again', async () => {
  const seller = await aCoinShop('usdc', '1')
  const { order, address, units } = await anOpenOrder(seller, 'usdc')
  await look('usdc')
  const height = Number(await chain.ask('eth_blockNumber'))
  const back = await chain.fork()
  await chain.mine(2)
  chain.state.before.set(height + 2, async () => {
    await back()
    await chain.payToken(address, units)
    await chain.mine(2)
  })
  await look('usdc')
  await look('usdc')
  assert.deepEqual(await stateOf(order), ['Delivered', 10])
})

test('a transaction that failed pays nothing, and a payment of nothing neither', async () => {
  const seller = await aCoinShop('usdc', '1')
  const { order, address } = await anOpenOrder(seller, 'usdc')
  await chain.payToken(address, 10n ** 30n)
  await chain.payToken(address, 0n)
  await grow('usdc')
  assert.deepEqual(await stateOf(order), ['Incomplete', 0])
})

/** Every address is asked for with the next block. */
async function lookAtAll(): Promise<void> {
  await sql`update crypto_addresses set look_at = now()`.execute(server.platform.db)
}

describe('ether that a contract sends', () => {
  test('is seen in what the address holds, waits for its confirmations, and counts once', async () => {
    const seller = await aCoinShop('ethereum')
    const whole = await anOpenOrder(seller, 'ethereum')
    const half = await anOpenOrder(seller, 'ethereum')
    await look('ethereum')
    await lookAtAll()
    await chain.payByContract(whole.address, whole.units)
    await chain.payByContract(half.address, half.units / 2n)
    await pay('ethereum', half.address, half.units / 2n)
    await grow('ethereum')
    assert.deepEqual(
      [await stateOf(whole.order), await stateOf(half.order)],
      [
        ['Pending', 0],
        ['Pending', 0],
      ],
    )
    await grow('ethereum')
    await lookAtAll()
    await grow('ethereum')
    for (const { order } of [whole, half]) {
      assert.deepEqual([await stateOf(order), await deliveriesOf(seller, order.id)], [['Delivered', 10], 1])
    }
    const { data: balances } = await seller.call(listCryptoBalances)
    assert.equal(balances[0]?.available, 0.01)
    await lookAtAll()
    await chain.payByContract(half.address, half.units / 10n)
    await grow('ethereum', 2)
    await lookAtAll()
    await grow('ethereum', 2)
    assert.deepEqual(await stateOf(half.order), ['Delivered', 11])
  })

  test('reorganised out, and in again', async () => {
    const seller = await aCoinShop('ethereum', '1')
    const { order, address, units } = await anOpenOrder(seller, 'ethereum')
    await look('ethereum')
    await lookAtAll()
    const back = await chain.fork()
    await chain.payByContract(address, units)
    await grow('ethereum')
    assert.deepEqual(await stateOf(order), ['Delivered', 10])
    await back()
    await grow('ethereum', 2)
    assert.deepEqual(await stateOf(order), ['Disputed', 10])
    await lookAtAll()
    await chain.payByContract(address, units)
    await grow('ethereum')
    assert.deepEqual([await stateOf(order), await deliveriesOf(seller, order.id)], [['Delivered', 10], 1])
  })

  test('a node that tells no balances is still believed in what its blocks show', async () => {
    const seller = await aCoinShop('ethereum', '1')
    const { order, address, units } = await anOpenOrder(seller, 'ethereum')
    chain.state.refuses.add('eth_getBalance')
    await pay('ethereum', address, units)
    await grow('ethereum').finally(() => chain.state.refuses.clear())
    assert.deepEqual(await stateOf(order), ['Delivered', 10])
  })

  test('what an address held before it was an order’s pays nothing', async () => {
    const seller = await aCoinShop('ethereum', '1')
    const account = HDKey.fromMasterSeed(Buffer.alloc(32, made)).derive("m/44'/60'/0'/0/0")
    await chain.ask('hardhat_setBalance', addressOf(account.publicKey ?? new Uint8Array()), '0xde0b6b3a7640000')
    await chain.mine()
    const { order, address, units } = await anOpenOrder(seller, 'ethereum')
    assert.equal(await chain.balanceOf(address), 10n ** 18n)
    // Blocks are made faster here than time goes by.
    await sql`update crypto_addresses set date_created = now() + interval '10 minutes' where order_id = ${order.id}`.execute(
      server.platform.db,
    )
    await grow('ethereum')
    assert.deepEqual(await stateOf(order), ['Incomplete', 0])
    await lookAtAll()
    await chain.payByContract(address, units)
    await grow('ethereum')
    assert.deepEqual(await stateOf(order), ['Delivered', 10])
  })
})

test.each(['ethereum', 'usdc'] as const)(
  '%s: what is moved on in part leaves the rest, whoever says what',
  async (method) => {
    const seller = await aCoinShop(method, '1')
    const { order, address, units } = await anOpenOrder(seller, method)
    await pay(method, address, units)
    await grow(method)
    assert.deepEqual(await stateOf(order), ['Delivered', 10])
    const held = async () => (await seller.call(listCryptoBalances)).data[0]?.available ?? 0
    const whole = await held()
    const move = async (moved: bigint) => {
      const data = `0xa9059cbb${wordOf(chain.rich)}${wordOf(moved)}`
      const wish =
        method === 'usdc' ? { to: chain.contract, data } : { to: chain.rich, value: `0x${moved.toString(16)}` }
      await chain.ask('eth_sendTransaction', { from: address, gas: '0x30d40', gasPrice: '0x77359400', ...wish })
      await grow(method)
    }
    await chain.ask('hardhat_impersonateAccount', address)
    if (method === 'usdc') await chain.ask('hardhat_setBalance', address, '0xde0b6b3a7640000')
    const back = await chain.fork()
    await move(units / 2n)
    const left = method === 'usdc' ? await chain.tokenBalanceOf(address) : await chain.balanceOf(address)
    assert.equal(await held(), Number(left) / (method === 'usdc' ? 1e6 : 1e18))
    assert.isBelow(await held(), whole * 0.6)
    await back()
    await grow(method, 2)
    assert.equal(await held(), whole)
    await move(0n)
    assert.approximately(await held(), whole, 0.0002)
    // All but the fee; what is left then cannot be moved.
    await move(method === 'usdc' ? units : (await chain.balanceOf(address)) - 400_000n * 10n ** 9n)
    assert.equal(await held(), 0)
  },
)

test('a node of another chain is not believed', async () => {
  const seller = await aCoinShop('ethereum', '1')
  const { order, address, units } = await anOpenOrder(seller, 'ethereum')
  await chain.payEther(address, units)
  await chain.mine()
  const { platform } = server
  const other = { ...platform, config: { ...platform.config, ethereum: { ...platform.config.ethereum, chainId: 1 } } }
  await watchChain(other, till, ethereumChain).then(
    () => assert.fail('it is another chain'),
    (error: Error) => assert.match(error.message, /chain 31337, and 1 is meant/),
  )
  assert.deepEqual(await stateOf(order), ['Incomplete', 0])
})

test('settings: a private key, a broken one and none are refused by name', async () => {
  const seller = await aShop(server)
  const save = async (settings: Record<string, unknown>) => {
    const { refused } = await seller.call(savePaymentSettings, { path: { method: 'ethereum' }, body: { settings } })
    return refused?.fields?.['settings.extendedKey'] ?? ''
  }
  const { privateExtendedKey, publicExtendedKey } = HDKey.fromMasterSeed(Buffer.alloc(32, 9))
  assert.match(await save({ extendedKey: privateExtendedKey }), /must stay with you/)
  assert.match(await save({ extendedKey: publicExtendedKey.slice(0, -1) }), /no extended public key/)
  assert.match(await save({}), /is needed/)
  const order = await seller.call(savePaymentSettings, {
    path: { method: 'usdc' },
    body: { settings: { extendedKey: publicExtendedKey } },
  })
  assert.equal(order.status, 200)
})
