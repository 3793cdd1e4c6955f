import type { PaymentStep } from '@keystall/contract/shapes/order'
import type { Tx } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { fromMinor } from '#platform/money/money'
import type { Platform } from '#platform/platform'
import { conflict, unavailable } from '#problem'
import type { Due } from '../method.ts'
import { noStep } from '../step.ts'
import type { CryptoAddressRow, CryptoDueRow } from '../tables.ts'
import { amountOf, unitsFor } from './amounts.ts'
import type { Coin, Wallet } from './coin.ts'
import { confirmationsFor } from './confirmations.ts'
import { insertAddress, insertDue, type OrderOnChain, selectAddress, selectDues, takeIndex } from './due-queries.ts'
import { currentRate } from './rate.ts'

/** For how long a price is promised. */
const goodMinutes = 20
/** An address that another wallet of the same key took is passed over. */
const triesMax = 20

/** An address of the order's own, and a price in the coin. Asked again, it is the same while the price is good. */
export async function beginOnChain(platform: Platform, coin: Coin, wallet: Wallet, due: Due): Promise<PaymentStep> {
  const { order, dueMinor } = due
  const of = { storeId: order.storeId, orderId: order.id, method: coin.method }
  const [address, dues] = await Promise.all([selectAddress(platform.db, of), selectDues(platform.db, of)])
  const last = dues.at(-1)
  if (address && last?.isGood && last.dueMinor === dueMinor) return stepOf(coin, address, last)

  const rate = await currentRate(platform, coin, order.currency)
  return transact(platform.db, async (tx) => {
    const own = address ?? (await takeAddress(tx, of, wallet))
    const confirmations = confirmationsFor(wallet.confirmations, fromMinor(order.costMinor, order.currency))
    const { currency } = order
    const next = await promise(tx, coin, of, { dueMinor, currency, rate, confirmations, number: dues.length + 1 })
    if (!next) throw conflict('The payment was begun at the same moment: try again')
    return stepOf(coin, own, next)
  })
}

/** One more price; undefined when somebody else made it at the same moment. */
export function promise(
  tx: Tx,
  coin: Coin,
  of: OrderOnChain,
  price: Pick<CryptoDueRow, 'dueMinor' | 'currency' | 'rate' | 'confirmations' | 'number'>,
): Promise<CryptoDueRow | undefined> {
  const amountUnits = unitsFor(price.dueMinor, price.currency, price.rate, coin).toString()
  return insertDue(tx, { ...of, ...price, amountUnits }, goodMinutes)
}

async function takeAddress(tx: Tx, of: OrderOnChain, wallet: Wallet): Promise<CryptoAddressRow> {
  const { fingerprint } = wallet
  for (let tries = 0; tries < triesMax; tries += 1) {
    const derivationIndex = await takeIndex(tx, of.method, fingerprint)
    await insertAddress(tx, { ...of, ...wallet.derive(derivationIndex), fingerprint, derivationIndex })
    const address = await selectAddress(tx, of)
    if (address) return address
  }
  throw unavailable('No address is free: try again in a moment')
}

function stepOf(coin: Coin, { address }: CryptoAddressRow, due: CryptoDueRow): PaymentStep {
  // What no wallet would send is not asked for; more counts as more.
  const exact = BigInt(due.amountUnits)
  const units = exact > coin.dustUnits ? exact : coin.dustUnits
  const amount = amountOf(units, coin.decimals)
  return {
    ...noStep,
    address,
    amount,
    uri: coin.uri({ address, units, amount }),
    expiresAt: due.expiresAt.toISOString(),
  }
}
