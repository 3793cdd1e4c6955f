import { payOrder } from '@keystall/contract/endpoints/checkout'
import { listCryptoBalances } from '@keystall/contract/endpoints/cryptocurrency'
import {
  forgetPaymentSettings,
  getSweep,
  savePaymentSettings,
  startSweep,
} from '@keystall/contract/endpoints/payment-methods'
import { HDKey } from '@scure/bip32'
import { sql } from 'kysely'
import { assert, test } from 'vitest'
import { till } from '#orders/till'
import { type Seller, testPassword } from '#test/factories'
import { aHardhat } from '#test/hardhat'
import { call, type TestServer, useServer } from '#test/harness'
import { signedIn } from '#test/people'
import { aProduct, aShop, anOrder } from '#test/shop'
import { unitsOf } from '../chain/amounts.ts'
import { watchChain } from '../chain/watch.ts'
import { ethereumChain, ethereumMethod } from '../ethereum/ethereum.ts'
import { usdcChain, usdcMethod } from '../usdc/usdc.ts'

const chain = await aHardhat()
const server: TestServer = useServer({
  hasJobs: false,
  env: {
    ETHEREUM_URL: chain.url,
    ETHEREUM_CHAIN_ID: '31337',
    USDC_CONTRACT: chain.contract,
    RATES: 'ETH-USD=2000,USDC-USD=1',
  },
})

type Method = 'ethereum' | 'usdc'
const parts = {
  ethereum: { method: ethereumMethod, chain: ethereumChain, decimals: 18 },
  usdc: { method: usdcMethod, chain: usdcChain, decimals: 6 },
}

async function aCoinShop(method: Method, settings: Record<string, unknown> = { isMadeHere: true }): Promise<Seller> {
  const seller = await aShop(server)
  const body = { settings: { ...settings, confirmations: '1' } }
  const saved = await seller.call(savePaymentSettings, { path: { method }, body })
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  cookies.set(seller.storeId, await signedIn(server, seller.user))
  return seller
}

const cookies = new Map<string, string>()

async function sell(seller: Seller, method: Method, count = 1): Promise<void> {
  for (let sold = 0; sold < count; sold += 1) {
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }), { gateway: method })
    const { data: step } = await call(server, payOrder, { path: { orderId: order.id } }, { orderKey: order.key })
    const units = unitsOf(step.amount ?? '', parts[method].decimals)
    await (method === 'usdc' ? chain.payToken : chain.payEther)(step.address ?? '', units)
  }
  await chain.mine()
  await watchChain(server.platform, till, parts[method].chain)
}

const offer = async (seller: Seller, method: Method) => (await seller.call(getSweep, { path: { method } })).data

function start(seller: Seller, method: Method, body: { recipient: string; feeMax: string; password?: string }) {
  return call(
    server,
    startSweep,
    { path: { storeId: seller.storeId, method }, body: { password: testPassword, ...body } },
    { cookie: cookies.get(seller.storeId) ?? '' },
  )
}

/** As the job does it, one look. */
async function work(seller: Seller, method: Method, isLast = false): Promise<void> {
  const { db } = server.platform
  const performer = parts[method].method.performers?.(till).find(({ job }) => job.name === `sweep-${method}`)
  assert.ok(performer)
  const { rows } = await sql<{ id: string }>`select id from crypto_sweeps where store_id = ${seller.storeId}`.execute(
    db,
  )
  for (const { id: sweepId } of rows) {
    const named = { storeId: seller.storeId, sweepId }
    const signal = AbortSignal.timeout(60_000)
    const attempt = { platform: server.platform, tries: 1, isLast, signal, stopping: signal }
    await performer.handle(db, named as never, attempt)
  }
}

let made = 0
function aRecipient(): string {
  made += 1
  return `0x${made.toString(16).padStart(40, '9')}`
}

test('ether: the fee is shown first, and what is sent arrives once, whatever happens meanwhile', async () => {
  const seller = await aCoinShop('ethereum')
  assert.match((await offer(seller, 'ethereum')).reason ?? '', /nothing to send on/)
  await sell(seller, 'ethereum', 2)
  const shown = await offer(seller, 'ethereum')
  assert.deepEqual([shown.reason, shown.coin, shown.addresses, shown.feeAddress], [null, 'ETH', 2, null])
  assert.equal(unitsOf(shown.amount, 18) + unitsOf(shown.fee, 18), 10n ** 16n)

  const forgotten = await seller.call(forgetPaymentSettings, { path: { method: 'ethereum' } })
  assert.equal(forgotten.refused?.status, 409)

  const recipient = aRecipient()
  const wish = { recipient, feeMax: shown.fee }
  const byKey = await seller.call(startSweep, { path: { method: 'ethereum' }, body: wish })
  assert.deepEqual(byKey.refused, { status: 403, code: 'AccessDenied' })
  const guessed = await start(seller, 'ethereum', { ...wish, password: 'not the password' })
  assert.deepEqual(guessed.refused?.fields, { password: 'is wrong' })
  const dear = await start(seller, 'ethereum', { recipient, feeMax: '0.00000001' })
  assert.equal(dear.refused?.status, 409)
  const wrong = await start(seller, 'ethereum', { recipient: `${recipient}1`, feeMax: shown.fee })
  assert.match(wrong.refused?.fields?.['recipient'] ?? '', /Ethereum address/)
  for (const nobody of [`0x${'0'.repeat(40)}`, chain.contract]) {
    const lost = await start(seller, 'ethereum', { recipient: nobody, feeMax: shown.fee })
    assert.match(lost.refused?.fields?.['recipient'] ?? '', /nobody can take it/)
  }
  const started = await Promise.all([1, 2, 3].map(() => start(seller, 'ethereum', { recipient, feeMax: shown.fee })))
  assert.deepEqual(
    started.map(({ status }) => status).toSorted((one, other) => one - other),
    [200, 409, 409],
  )

  chain.state.deafTo.add('eth_sendRawTransaction')
  await work(seller, 'ethereum').then(
    () => assert.fail('nobody heard it'),
    () => undefined,
  )
  chain.state.deafTo.clear()
  const signed = (await offer(seller, 'ethereum')).sweeps[0]?.transactions
  assert.lengthOf(signed ?? [], 1)
  await Promise.all([work(seller, 'ethereum'), work(seller, 'ethereum'), work(seller, 'ethereum')])
  await chain.mine()
  await work(seller, 'ethereum')
  const { sweeps } = await offer(seller, 'ethereum')
  const [done] = sweeps
  assert.deepEqual([sweeps.length, done?.status, done?.amount, done?.recipient], [1, 'done', shown.amount, recipient])
  assert.include(done?.transactions ?? [], signed?.[0] ?? 'none')
  assert.equal(await chain.balanceOf(recipient), unitsOf(shown.amount, 18))
  await watchChain(server.platform, till, ethereumChain)
  const { data: balances } = await seller.call(listCryptoBalances)
  assert.equal(balances[0]?.available, 0)
  assert.equal((await seller.call(forgetPaymentSettings, { path: { method: 'ethereum' } })).status, 200)
})

test('USDC: ether for the fees is asked for, given to each address, and the token arrives', async () => {
  const seller = await aCoinShop('usdc')
  await sell(seller, 'usdc', 2)
  const poor = await offer(seller, 'usdc')
  assert.match(poor.reason ?? '', /send at least [\d.]+ ETH to 0x/)
  const recipient = aRecipient()
  assert.equal((await start(seller, 'usdc', { recipient, feeMax: poor.fee })).refused?.status, 409)
  await chain.payEther(poor.feeAddress ?? '', 10n ** 17n)
  await chain.mine()
  const shown = await offer(seller, 'usdc')
  assert.deepEqual([shown.reason, shown.amount, shown.addresses], [null, '20', 2])
  assert.equal((await start(seller, 'usdc', { recipient, feeMax: shown.fee })).status, 200)
  for (let round = 0; round < 2; round += 1) {
    await Promise.all([work(seller, 'usdc'), work(seller, 'usdc')])
    await chain.mine()
  }
  await work(seller, 'usdc')
  const [done] = (await offer(seller, 'usdc')).sweeps
  assert.deepEqual([done?.status, done?.failure, done?.transactions.length], ['done', null, 2])
  assert.equal(await chain.tokenBalanceOf(recipient), 20_000_000n)
  const left = await chain.balanceOf(poor.feeAddress ?? '')
  assert.isAtLeast(Number(left), Number(10n ** 17n - unitsOf(shown.fee, 18)))
})

test('a transaction that got into a block at the last moment has not failed', async () => {
  const seller = await aCoinShop('ethereum')
  await sell(seller, 'ethereum')
  const { fee } = await offer(seller, 'ethereum')
  assert.equal((await start(seller, 'ethereum', { recipient: aRecipient(), feeMax: fee })).status, 200)
  await work(seller, 'ethereum')
  chain.state.minesBefore.add('eth_sendRawTransaction')
  await work(seller, 'ethereum')
  chain.state.minesBefore.clear()
  const [done] = (await offer(seller, 'ethereum')).sweeps
  assert.deepEqual([done?.status, done?.failure], ['done', null])
})

test('a node that is away for longer than a job is tried does not leave a sweep open for good', async () => {
  const seller = await aCoinShop('ethereum')
  await sell(seller, 'ethereum')
  const { fee } = await offer(seller, 'ethereum')
  assert.equal((await start(seller, 'ethereum', { recipient: aRecipient(), feeMax: fee })).status, 200)
  const { db } = server.platform
  const ofSweep = sql`queue = 'sweep-ethereum' and data->>'storeId' = ${seller.storeId}`
  await sql`delete from jobs where ${ofSweep}`.execute(db)
  chain.state.isAway = true
  await work(seller, 'ethereum', true).finally(() => {
    chain.state.isAway = false
  })
  assert.lengthOf((await sql`select from jobs where ${ofSweep}`.execute(db)).rows, 1)
})

test('saved by several at once, one wallet is made, and its words are shown', async () => {
  const seller = await aShop(server)
  const save = () =>
    seller.call(savePaymentSettings, { path: { method: 'usdc' }, body: { settings: { isMadeHere: true } } })
  const saved = await Promise.all([save(), save(), save()])
  const words = saved.filter((each) => !each.refused && each.data.shownOnce !== null)
  assert.lengthOf(words, 1)
})

test('an extended public key can only watch', async () => {
  const { publicExtendedKey } = HDKey.fromMasterSeed(Buffer.alloc(32, 77))
  const seller = await aCoinShop('ethereum', { extendedKey: publicExtendedKey })
  await sell(seller, 'ethereum')
  const shown = await offer(seller, 'ethereum')
  assert.match(shown.reason ?? '', /can only watch/)
  assert.equal((await start(seller, 'ethereum', { recipient: aRecipient(), feeMax: '1' })).refused?.status, 409)
})
