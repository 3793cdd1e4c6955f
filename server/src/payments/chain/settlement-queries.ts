import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { CryptoAddressRow, CryptoSightingRow } from '../tables.ts'
import type { OrderOnChain } from './due-queries.ts'

/** The addresses whose orders have not been told all. */
export function selectUnsettled(db: Db, method: string): Promise<{ storeId: string; target: string }[]> {
  return db
    .selectFrom('cryptoSightings')
    .select(['storeId', 'target'])
    .distinct()
    .where('method', '=', method)
    .where('isSettled', '=', false)
    .execute()
}

/** In which currencies payments wait for a price. */
export async function selectCurrenciesToPrice(db: Db, method: string): Promise<string[]> {
  const { rows } = await sql<{ currency: string }>`
    select distinct due.currency from crypto_sightings s
    join crypto_dues due on due.store_id = s.store_id and due.order_id = s.order_id and due.method = s.method
      and due.number = 1
    where s.method = ${method} and not s.is_settled and s.due_number is null
  `.execute(db)
  return rows.map(({ currency }) => currency)
}

/** One at a time decides about an address. */
export function lockAddress(tx: Tx, method: string, target: string): Promise<CryptoAddressRow> {
  return tx
    .selectFrom('cryptoAddresses')
    .selectAll()
    .where('method', '=', method)
    .where('target', '=', target)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** What was told of stands first, then the order in which money came. */
export function selectSightings(tx: Tx, method: string, target: string): Promise<CryptoSightingRow[]> {
  return tx
    .selectFrom('cryptoSightings')
    .selectAll()
    .where('method', '=', method)
    .where('target', '=', target)
    .orderBy(sql`told_minor is null`)
    .orderBy('paidAt')
    .orderBy('txid')
    .orderBy('position')
    .execute()
}

/** What the order costs and has been paid, by whichever method; locked until the transaction ends. */
export function lockOwed(
  tx: Tx,
  { storeId, orderId }: Pick<OrderOnChain, 'storeId' | 'orderId'>,
): Promise<{ costMinor: number; paidMinor: number; currency: string }> {
  return tx
    .selectFrom('orders')
    .select(['costMinor', 'paidMinor', 'currency'])
    .where('storeId', '=', storeId)
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateSighting(
  tx: Tx,
  { method, txid, position }: CryptoSightingRow,
  columns: Partial<Pick<CryptoSightingRow, 'dueNumber' | 'toldMinor' | 'isSettled' | 'isLost' | 'losses'>>,
): Promise<void> {
  await tx
    .updateTable('cryptoSightings')
    .set(columns)
    .where('method', '=', method)
    .where('txid', '=', txid)
    .where('position', '=', position)
    .execute()
}
