import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { CryptoAddressRow, CryptoDueRow } from '../tables.ts'

export interface OrderOnChain {
  storeId: string
  orderId: string
  method: string
}

export function selectAddress(db: Db, of: OrderOnChain): Promise<CryptoAddressRow | undefined> {
  return db
    .selectFrom('cryptoAddresses')
    .selectAll()
    .where('storeId', '=', of.storeId)
    .where('orderId', '=', of.orderId)
    .where('method', '=', of.method)
    .executeTakeFirst()
}

/** Nobody gets the same again. */
export async function takeIndex(tx: Tx, method: string, fingerprint: string): Promise<number> {
  const { nextIndex } = await tx
    .insertInto('cryptoWallets')
    .values({ method, fingerprint, nextIndex: 1 })
    .onConflict((conflict) =>
      conflict.columns(['method', 'fingerprint']).doUpdateSet({ nextIndex: sql`crypto_wallets.next_index + 1` }),
    )
    .returning('nextIndex')
    .executeTakeFirstOrThrow()
  return nextIndex - 1
}

/** False when the order has an address already, or the address has an order. */
export async function insertAddress(
  tx: Tx,
  address: Omit<CryptoAddressRow, 'dateCreated' | 'lookAt' | 'priorUnits'>,
): Promise<boolean> {
  const row = await tx
    .insertInto('cryptoAddresses')
    .values(address)
    .onConflict((conflict) => conflict.doNothing())
    .returning('target')
    .executeTakeFirst()
  return row !== undefined
}

/** Oldest first; `isGood` by the database's clock. */
export function selectDues(db: Db, of: OrderOnChain): Promise<(CryptoDueRow & { isGood: boolean })[]> {
  return db
    .selectFrom('cryptoDues')
    .selectAll()
    .select(sql<boolean>`expires_at > now()`.as('isGood'))
    .where('storeId', '=', of.storeId)
    .where('orderId', '=', of.orderId)
    .where('method', '=', of.method)
    .orderBy('number')
    .execute()
}

/** Undefined when another one took the number. */
export function insertDue(
  tx: Tx,
  due: Omit<CryptoDueRow, 'dateCreated' | 'expiresAt'>,
  goodMinutes: number,
): Promise<CryptoDueRow | undefined> {
  return tx
    .insertInto('cryptoDues')
    .values({ ...due, expiresAt: sql<Date>`now() + make_interval(mins => ${goodMinutes})` })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}
