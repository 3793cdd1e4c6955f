import { Type } from 'typebox'
import type { SweepOffer } from '@keystall/contract/shapes/sweep'
import { transact } from '#platform/db/transaction'
import { enqueue, type Job, job } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import { conflict, invalid, unavailable } from '#problem'
import { amountOf } from '../chain/amounts.ts'
import type { Coin } from '../chain/coin.ts'
import type { Account, SweepWish } from '../method.ts'
import { readAddress } from './address.ts'
import { asHex, type EvmClient, openClient } from './client.ts'
import { evmSettingsOf, evmWallet } from './settings.ts'
import { feePerGas, feePurse } from './spending.ts'
import { insertSteps, insertSweep, type NewStep, selectHeldAddresses, selectSweeps } from './sweep-queries.ts'

const Named = Type.Object({ storeId: Type.String(), sweepId: Type.String() })

/** A node may be away for a day. */
export function sweepJobOf(method: string): Job<typeof Named> {
  return job(`sweep-${method}`, Named, {
    retrySeconds: [5, 15, 60, ...Array<number>(96).fill(900)],
    leaseSeconds: 120,
  })
}

/** How a coin is moved. */
export interface CoinMoving {
  readonly coin: Omit<Coin, 'uri'>
  /** What a move takes at most. */
  readonly gas: number
  /** The token's contract, which is asked and called; undefined for ether itself. */
  contract(platform: Platform): string | undefined
  /** What carries a sweep out. */
  readonly job: Job<typeof Named>
}

const etherDecimals = 18
const plainGas = 21_000
/** Addresses that the node is asked about at once. */
const askedAtOnce = 20

interface Plan {
  reason: string | null
  steps: readonly NewStep[]
  units: bigint
  feeUnits: bigint
  feePerGas: bigint
  feeAddress: string | null
}

const nothing = { steps: [], units: 0n, feeUnits: 0n, feePerGas: 0n, feeAddress: null }

/** What would be sent on now, and what it costs at most. */
export async function offerSweep(platform: Platform, moving: CoinMoving, account: Account): Promise<SweepOffer> {
  const { coin } = moving
  const [plan, sweeps] = await Promise.all([
    planSweep(platform, moving, account, plainGas),
    selectSweeps(platform.db, account.store, coin.method),
  ])
  return {
    reason: plan.reason,
    coin: coin.code,
    amount: amountOf(plan.units, coin.decimals),
    addresses: plan.steps.length,
    fee: amountOf(plan.feeUnits, etherDecimals),
    feeAddress: plan.feeAddress,
    sweeps: sweeps.map(({ sweep, steps }) => ({
      ...sweep,
      dateCreated: sweep.dateCreated.toISOString(),
      amount: amountOf(
        steps.reduce((sum, { units }) => sum + BigInt(units), 0n),
        coin.decimals,
      ),
      failure: steps.find(({ failure }) => failure !== null)?.failure ?? null,
      transactions: steps.flatMap(({ txid }) => (txid === null ? [] : [txid])),
    })),
  }
}

/** Plans it and writes the plan down; a job carries it out. It never costs more than the seller has seen. */
export async function startSweep(
  platform: Platform,
  moving: CoinMoving,
  account: Account,
  wish: SweepWish,
): Promise<void> {
  const recipient = readAddress(wish.recipient)
  if (recipient === undefined) throw invalid({ recipient: 'must be an Ethereum address: look for a wrong letter' })
  if (isNobodys(platform, recipient)) throw invalid({ recipient: 'is an address from which nobody can take it' })
  const gas = await gasTo(platform, recipient)
  const plan = await planSweep(platform, moving, account, gas)
  if (plan.reason !== null) throw conflict(plan.reason)
  if (plan.feeUnits > wish.feeMaxUnits) {
    throw conflict(`It would now cost up to ${amountOf(plan.feeUnits, etherDecimals)} ETH: look again`)
  }
  const { method } = moving.coin
  const { store } = account
  await transact(wish.db, async (tx) => {
    const row = { method, recipient, actor: wish.actor, feePerGas: plan.feePerGas.toString() }
    const sweep = await insertSweep(tx, store, row)
    if (!sweep) throw conflict('Money is being sent on already: wait until that is done')
    await insertSteps(tx, sweep, plan.steps)
    await enqueue(tx, moving.job, { storeId: store.id, sweepId: sweep.id })
  })
}

async function planSweep(platform: Platform, moving: CoinMoving, account: Account, gasOfEther: number): Promise<Plan> {
  const { isMadeHere, seed } = evmSettingsOf(account)
  if (!isMadeHere || seed === undefined) {
    return { ...nothing, reason: 'Your extended public key can only watch: send the money on with your own wallet' }
  }
  const { fingerprint } = await evmWallet(account)
  const { method } = moving.coin
  const held = await selectHeldAddresses(platform.db, { storeId: account.store.id, method, fingerprint })
  const client = await asked(platform)
  const price = await feePerGas(client)
  const contract = moving.contract(platform)
  if (contract === undefined) return planEther(client, held, { price, gas: gasOfEther })
  const { spendingAccount } = await import('./wallet.ts')
  const feeAddress = feePurse(spendingAccount(seed)).address
  return planToken(client, held, { price, gas: moving.gas, contract, feeAddress })
}

type Held = Awaited<ReturnType<typeof selectHeldAddresses>>

/** The fee is taken from what is there; what would not pay its own fee stays. */
async function planEther(client: EvmClient, held: Held, { price, gas }: { price: bigint; gas: number }): Promise<Plan> {
  const feeUnits = price * BigInt(gas)
  const balances = await eachOf(held, ({ address }) => client.getBalance({ address: asHex(address) }))
  const steps = held.flatMap(({ target, derivationIndex }, index): NewStep[] => {
    const units = (balances[index] ?? 0n) - feeUnits
    return units > 0n ? [{ target, derivationIndex, units: units.toString(), gas, fundUnits: '0' }] : []
  })
  const total = { units: sumOf(steps), feeUnits: feeUnits * BigInt(steps.length) }
  const reason = steps.length > 0 ? null : 'There is nothing to send on that is worth its fee'
  return { reason, steps, ...total, feePerGas: price, feeAddress: null }
}

/** A token cannot pay for its own move: each address is first given ether for the fee, by the wallet's own fee address. */
async function planToken(
  client: EvmClient,
  held: Held,
  { price, gas, contract, feeAddress }: { price: bigint; gas: number; contract: string; feeAddress: string },
): Promise<Plan> {
  const move = price * BigInt(gas)
  const balances = await eachOf(held, async ({ address }) => ({
    units: await tokenBalance(client, contract, address),
    has: await client.getBalance({ address: asHex(address) }),
  }))
  const steps: NewStep[] = []
  let feeUnits = 0n
  for (const [index, { target, derivationIndex }] of held.entries()) {
    const { units, has } = balances[index] ?? { units: 0n, has: 0n }
    if (units === 0n) continue
    const fund = has < move ? move - has : 0n
    feeUnits += fund === 0n ? 0n : fund + price * BigInt(plainGas)
    steps.push({ target, derivationIndex, units: units.toString(), gas, fundUnits: fund.toString() })
  }
  const plan = { steps, units: sumOf(steps), feeUnits, feePerGas: price, feeAddress }
  if (steps.length === 0) return { ...plan, reason: 'There is nothing to send on' }
  const purse = await client.getBalance({ address: asHex(feeAddress) })
  if (purse >= feeUnits) return { ...plan, reason: null }
  const missing = amountOf(feeUnits - purse, etherDecimals)
  return { ...plan, reason: `Moving a token costs ether: send at least ${missing} ETH to ${feeAddress} first` }
}

async function eachOf<Answer>(held: Held, ask: (of: Held[number]) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let from = 0; from < held.length; from += askedAtOnce) {
    answers.push(...(await Promise.all(held.slice(from, from + askedAtOnce).map(ask))))
  }
  return answers
}

function sumOf(steps: readonly NewStep[]): bigint {
  return steps.reduce((sum, { units }) => sum + BigInt(units), 0n)
}

const balanceOf = '0x70a08231'

async function tokenBalance(client: EvmClient, contract: string, address: string): Promise<bigint> {
  const data = asHex(`${balanceOf}${wordOf(address)}`)
  const { data: answer = '0x0' } = await client.call({ to: asHex(contract), data })
  return BigInt(answer === '0x' ? 0 : answer)
}

/** An address or a number as calls of contracts carry it. */
export function wordOf(value: string | bigint): string {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()
  return digits.padStart(64, '0')
}

function isNobodys({ config }: Platform, recipient: string): boolean {
  return BigInt(recipient) === 0n || recipient.toLowerCase() === config.ethereum.usdcContract.toLowerCase()
}

/** A contract that receives ether may run code of its own. */
async function gasTo(platform: Platform, recipient: string): Promise<number> {
  const client = await asked(platform)
  const code = await client.getCode({ address: asHex(recipient) })
  return code === undefined ? plainGas : plainGas * 3
}

async function asked({ config }: Platform): Promise<EvmClient> {
  const client = await openClient(config)
  const isThere = await client?.getChainId().catch(() => undefined)
  if (!client || isThere === undefined) throw unavailable('The Ethereum node does not answer: try again in a moment')
  return client
}
