import { reportPayment } from '../report.ts'
import type { CryptoAddressRow, CryptoDueRow, CryptoSightingRow } from '../tables.ts'
import type { Cashing, Till } from '../till.ts'
import { amountOf } from './amounts.ts'
import type { Chain } from './chain.ts'
import type { Coin } from './coin.ts'
import { selectDues } from './due-queries.ts'
import { priceSightings } from './pricing.ts'
import { lockAddress, lockOwed, selectSightings, updateSighting } from './settlement-queries.ts'
import { tally } from './tally.ts'

type Priced = CryptoSightingRow & { due: CryptoDueRow }

interface Settling {
  cashing: Cashing
  till: Till
  coin: Coin
  orderId: string
}

/** Brings an order in line with what the chain shows of its address. Asked again, it changes nothing. */
export async function settleAddress(
  cashing: Cashing,
  till: Till,
  { coin }: Chain,
  { target, tip }: { target: string; tip: number },
): Promise<void> {
  const { tx } = cashing
  const address = await lockAddress(tx, coin.method, target)
  const settling = { cashing, till, coin, orderId: address.orderId }
  const seen = await selectSightings(tx, coin.method, target)
  const priced = await pricedSightings(settling, address, seen)
  const live = priced.filter(({ goneAt }) => goneAt === null)
  const confirmed = live.filter(({ height, due }) => height !== null && tip - height + 1 >= due.confirmations)
  const lost = seen.filter(({ goneAt, toldMinor }) => goneAt !== null && toldMinor !== null)
  const toldOfLost = lost.reduce((sum, { toldMinor }) => sum + (toldMinor ?? 0), 0)
  const { news, lostMinor } = tally(confirmed, toldOfLost, coin.dustUnits)

  for (const { payment, tellMinor } of news) await tell(settling, payment, tellMinor)
  const waiting = live.filter((each) => each.toldMinor === null && !confirmed.includes(each))
  if (waiting[0]) await till.expect(cashing, address.orderId, waitingReason(coin, waiting[0]))
  else await mayDecline(settling, seen, news)
  const back = seen.filter(({ isLost, goneAt }) => isLost && (goneAt === null || lostMinor === 0))
  for (const each of back) await updateSighting(tx, each, { isLost: false })
  if (lostMinor > 0) await dispute(settling, lost, lostMinor)
  else if (confirmed.length > 0) await till.endDispute(cashing, address.orderId, 'the payment is there')

  for (const each of seen) {
    const isWaiting = waiting.some(({ txid, position }) => txid === each.txid && position === each.position)
    const isOpen = each.goneAt === null && (isWaiting ? each.height !== null : !priced.some(sameAs(each)))
    await updateSighting(tx, each, { isSettled: !isOpen })
  }
}

async function pricedSightings(
  settling: Settling,
  address: CryptoAddressRow,
  seen: CryptoSightingRow[],
): Promise<Priced[]> {
  const { cashing, coin } = settling
  const dues = await selectDues(cashing.tx, address)
  const order = await lockOwed(cashing.tx, address)
  return priceSightings(cashing.tx, { coin, address, order }, dues, seen)
}

const sameAs =
  ({ txid, position }: CryptoSightingRow) =>
  (other: CryptoSightingRow) =>
    other.txid === txid && other.position === position

/** What is more than the order owes is a payment of its own, which orders keep to be refunded. */
async function tell({ cashing, till, coin, orderId }: Settling, payment: Priced, tellMinor: number): Promise<void> {
  const { tx, store } = cashing
  await updateSighting(tx, payment, { toldMinor: tellMinor })
  if (tellMinor === 0) return
  const { costMinor, paidMinor } = await lockOwed(tx, { storeId: store.id, orderId })
  const owed = Math.max(0, costMinor - paidMinor)
  const externalId = `${payment.txid}:${payment.position}`
  const cash = { gateway: coin.method, externalId, currency: payment.due.currency }
  const own = owed > 0 ? Math.min(owed, tellMinor) : tellMinor
  await till.receive(cashing, orderId, { ...cash, amountMinor: own })
  const rest = tellMinor - own
  if (rest > 0) {
    await till.receive(cashing, orderId, { ...cash, externalId: `${externalId}:surplus`, amountMinor: rest })
  }
}

function waitingReason(coin: Coin, { units, due: { confirmations } }: Priced): string {
  const blocks = confirmations === 1 ? '1 confirmation' : `${confirmations} confirmations`
  return `${amountOf(BigInt(units), coin.decimals)} ${coin.code} were seen, and wait for ${blocks}`
}

/** Nothing is under way any more, and nothing came of what was. */
async function mayDecline(
  { cashing, till, orderId }: Settling,
  seen: readonly CryptoSightingRow[],
  news: readonly { tellMinor: number }[],
): Promise<void> {
  const isDropped = seen.some(({ goneAt, toldMinor, isSettled }) => goneAt !== null && toldMinor === null && !isSettled)
  const isNothing = news.length > 0 && news.every(({ tellMinor }) => tellMinor === 0)
  if (!isDropped && !isNothing) return
  const reason = isDropped ? 'the payment was replaced or dropped before it was final' : 'the payment is too small'
  await till.decline(cashing, orderId, reason)
}

/** The chain took back what the order was told of: the seller must know, as with a bank that takes money back. */
async function dispute(
  { cashing, till, coin, orderId }: Settling,
  lost: readonly CryptoSightingRow[],
  lostMinor: number,
): Promise<void> {
  const reason = 'the chain was reorganised, and the payment is no longer in it'
  const { tx, store } = cashing
  const { currency } = await lockOwed(tx, { storeId: store.id, orderId })
  let missing = lostMinor
  for (const each of lost) {
    const amountMinor = Math.min(missing, each.toldMinor ?? 0)
    missing -= amountMinor
    if (each.isLost || amountMinor === 0) continue
    // It may come back and be lost again: each time is one of its own.
    const times = each.losses + 1
    const externalId = `${each.txid}:${each.position}${times > 1 ? `:${times}` : ''}`
    await updateSighting(tx, each, { isLost: true, losses: times })
    const named = { gateway: coin.method, externalId }
    await reportPayment(tx, store, { ...named, orderId, type: 'reorganised', reason, reporter: coin.code })
    await till.note(cashing, orderId, { kind: 'reorganised', reason })
    await till.dispute(cashing, orderId, { ...named, amountMinor, currency, reason })
  }
}
