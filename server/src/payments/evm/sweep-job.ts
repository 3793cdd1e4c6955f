import type { HDKey } from '@scure/bip32'
import type { Db } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { enqueue, type Performer, perform } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import { findAccount, loadAnyStore } from '../account.ts'
import type { CryptoSweepRow, CryptoSweepStepRow } from '../tables.ts'
import { asHex, type EvmClient, openClient } from './client.ts'
import { evmSettingsOf } from './settings.ts'
import { broadcast, endOf, feePurse, purseOfOrder } from './spending.ts'
import { type CoinMoving, wordOf } from './sweep.ts'
import { endStep, endSweep, keepSigned, selectSteps, selectSweep } from './sweep-queries.ts'

const againSeconds = 15
const awaySeconds = 900
const plainGas = 21_000
const transfer = '0xa9059cbb'

export function sweepPerformer(moving: CoinMoving): Performer {
  return perform(moving.job, async (db, named, { platform, isLast }) => {
    try {
      await carryOut(db, platform, moving, named)
    } catch (error) {
      if (!isLast) throw error
      // However long the node is away: a sweep that nobody looks at would keep the seller from another for good.
      platform.log.error({ err: error, ...named }, 'money could not be sent on; it is tried again')
      const later = { startAfterSeconds: awaySeconds, singletonKey: named.sweepId }
      await transact(db, (tx) => enqueue(tx, moving.job, named, later))
    }
  })
}

interface Sweeping {
  db: Db
  client: EvmClient
  account: HDKey
  sweep: CryptoSweepRow
  chainId: number
  contract: string | undefined
}

/** One look at every step that is open. Ended at any instant and begun by two at once, it moves money once. */
export async function carryOut(
  db: Db,
  platform: Platform,
  moving: CoinMoving,
  named: { storeId: string; sweepId: string },
): Promise<void> {
  const sweep = await selectSweep(db, named)
  if (sweep?.status !== 'open') return
  const account = await findAccount(platform, await loadAnyStore(db, named.storeId), moving.coin.method)
  const { seed } = account ? evmSettingsOf(account) : {}
  const client = await openClient(platform.config)
  if (!client) throw new Error('no Ethereum node is named')
  if (seed === undefined) await giveUp(db, sweep, 'the wallet is gone')
  else {
    const { spendingAccount } = await import('./wallet.ts')
    const { chainId } = platform.config.ethereum
    const contract = moving.contract(platform)
    const sweeping = { db, client, account: spendingAccount(seed), sweep, chainId, contract }
    for (const step of await selectSteps(db, sweep)) if (step.status === 'open') await advance(sweeping, step)
  }
  await lookAgain(db, moving, sweep)
}

async function lookAgain(db: Db, { job }: CoinMoving, sweep: CryptoSweepRow): Promise<void> {
  const { storeId, id: sweepId } = sweep
  const states = (await selectSteps(db, sweep)).map(({ status }) => status)
  await transact(db, async (tx) => {
    if (!states.includes('open')) return endSweep(tx, sweep, states.includes('failed') ? 'failed' : 'done')
    await enqueue(tx, job, { storeId, sweepId }, { startAfterSeconds: againSeconds, singletonKey: sweepId })
  })
}

async function giveUp(db: Db, sweep: CryptoSweepRow, failure: string): Promise<void> {
  for (const step of await selectSteps(db, sweep)) {
    await transact(db, (tx) => endStep(tx, step, { status: 'failed', failure }))
  }
}

/** First the ether for the fee, where it is needed; then the money itself. */
async function advance(sweeping: Sweeping, step: CryptoSweepStepRow): Promise<void> {
  const { db, client } = sweeping
  const fail = (failure: string) => transact(db, (tx) => endStep(tx, step, { status: 'failed', failure }))
  if (step.fundUnits !== '0') {
    const { fundTxid, fundRaw } = step.fundTxid === null ? await signFund(sweeping, step) : step
    const end = await ended(client, { txid: fundTxid, raw: fundRaw })
    if (end === 'waiting') return
    if (end !== 'success') return fail(end)
  }
  const { txid, raw } = step.txid === null ? await signMove(sweeping, step) : step
  const end = await ended(client, { txid, raw })
  if (end === 'waiting') return
  if (end !== 'success') return fail(end)
  await transact(db, (tx) => endStep(tx, step, { status: 'done' }))
}

/** Sends what is in no block yet, again and again: it is always the same transaction. */
async function ended(
  client: EvmClient,
  { txid, raw }: { txid: string | null; raw: string | null },
): Promise<'success' | 'waiting' | (string & {})> {
  if (txid === null || raw === null) throw new Error('what is sent was signed')
  const end = (await endOf(client, txid)) ?? (await sendAgain(client, { txid, raw }))
  return end === 'reverted' ? 'the transaction failed' : end
}

/** What is refused may have got into a block a moment ago. */
async function sendAgain(client: EvmClient, { txid, raw }: { txid: string; raw: string }): Promise<string> {
  const refusal = await broadcast(client, raw)
  return refusal === undefined ? 'waiting' : ((await endOf(client, txid)) ?? refusal)
}

async function signFund(sweeping: Sweeping, step: CryptoSweepStepRow): Promise<CryptoSweepStepRow> {
  const { db, client, account, sweep, chainId } = sweeping
  const purse = feePurse(account)
  const signed = (await selectSteps(db, sweep)).flatMap(({ fundNonce }) => (fundNonce === null ? [] : [fundNonce + 1]))
  const nonce = Math.max(await client.getTransactionCount({ address: asHex(purse.address) }), ...signed)
  const value = BigInt(step.fundUnits)
  const to = purseOfOrder(account, step.derivationIndex).address
  const draft = { chainId, nonce, to, value, gas: plainGas, feePerGas: BigInt(sweep.feePerGas) }
  const { raw, txid } = await purse.sign(draft)
  return kept(sweeping, step, { fundRaw: raw, fundTxid: txid, fundNonce: nonce })
}

async function signMove(sweeping: Sweeping, step: CryptoSweepStepRow): Promise<CryptoSweepStepRow> {
  const { client, account, sweep, chainId, contract } = sweeping
  const purse = purseOfOrder(account, step.derivationIndex)
  const nonce = await client.getTransactionCount({ address: asHex(purse.address) })
  const units = BigInt(step.units)
  const common = { chainId, nonce, gas: step.gas, feePerGas: BigInt(sweep.feePerGas) }
  const data = `${transfer}${wordOf(sweep.recipient)}${wordOf(units)}`
  return kept(
    sweeping,
    step,
    await purse.sign(
      contract === undefined
        ? { ...common, to: sweep.recipient, value: units }
        : { ...common, to: contract, value: 0n, data },
    ),
  )
}

async function kept(
  { db, sweep }: Sweeping,
  step: CryptoSweepStepRow,
  signed: Parameters<typeof keepSigned>[2],
): Promise<CryptoSweepStepRow> {
  const row = await transact(db, (tx) => keepSigned(tx, step, signed))
  const now = row ?? (await selectSteps(db, sweep)).find(({ target }) => target === step.target)
  if (!now) throw new Error('steps are never deleted')
  return now
}
