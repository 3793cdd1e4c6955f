import type { Tx } from '#platform/db/database'
import type { CryptoAddressRow, CryptoDueRow, CryptoSightingRow } from '../tables.ts'
import type { Coin } from './coin.ts'
import { promise } from './due.ts'
import { findRate } from './rate.ts'
import { updateSighting } from './settlement-queries.ts'

/** Sent in time and seen a little later counts as in time. */
const graceMs = 2 * 60_000

interface Priced {
  coin: Coin
  address: CryptoAddressRow
  order: { costMinor: number; paidMinor: number; currency: string }
}

/**
 * Each payment with the price it counts by: the one that was good when it was sent, otherwise what the coin is worth
 * now. Payments that cannot be priced yet, because no recent rate is known, are left out.
 */
export async function priceSightings(
  tx: Tx,
  of: Priced,
  dues: CryptoDueRow[],
  seen: readonly CryptoSightingRow[],
): Promise<(CryptoSightingRow & { due: CryptoDueRow })[]> {
  const priced: (CryptoSightingRow & { due: CryptoDueRow })[] = []
  for (const sighting of seen) {
    const known = dues.find(({ number }) => number === sighting.dueNumber)
    const due = known ?? goodAt(dues, sighting.paidAt) ?? bumped(dues, sighting, seen) ?? (await priceNow(tx, of, dues))
    if (!due) continue
    if (!known) await updateSighting(tx, sighting, { dueNumber: due.number })
    priced.push({ ...sighting, dueNumber: due.number, due })
  }
  return priced
}

function goodAt(dues: readonly CryptoDueRow[], paidAt: Date): CryptoDueRow | undefined {
  const at = paidAt.getTime()
  return dues.findLast(
    ({ dateCreated, expiresAt }, index) =>
      (index === 0 || dateCreated.getTime() <= at) && at <= expiresAt.getTime() + graceMs,
  )
}

/** A payment that was replaced by one with a higher fee keeps its price. */
function bumped(
  dues: readonly CryptoDueRow[],
  { units }: CryptoSightingRow,
  seen: readonly CryptoSightingRow[],
): CryptoDueRow | undefined {
  const replaced = seen.find(
    (other) => other.goneAt !== null && other.toldMinor === null && other.dueNumber !== null && other.units === units,
  )
  return dues.find(({ number }) => number === replaced?.dueNumber)
}

async function priceNow(tx: Tx, { coin, address, order }: Priced, dues: CryptoDueRow[]) {
  const rate = await findRate(tx, coin, order.currency)
  if (rate === undefined) return undefined
  const owed = order.costMinor - order.paidMinor
  const { storeId, orderId, method } = address
  const price = {
    dueMinor: owed > 0 ? owed : order.costMinor,
    currency: order.currency,
    rate,
    confirmations: dues[0]?.confirmations ?? 1,
    number: dues.length + 1,
  }
  const due = await promise(tx, coin, { storeId, orderId, method }, price)
  if (due) dues.push(due)
  return due
}
