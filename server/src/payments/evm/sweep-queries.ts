import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import { holding } from '../parts.ts'
import type { CryptoSweepRow, CryptoSweepStepRow } from '../tables.ts'

const sweepsShown = 20
/** A sweep takes so many addresses; the next one takes more. */
const addressesMax = 200

export interface HeldAddress {
  target: string
  address: string
  derivationIndex: number
}

/** The addresses of this wallet that hold what orders brought; the fullest first, so that dust keeps nothing back. */
export async function selectHeldAddresses(
  db: Db,
  of: { storeId: string; method: string; fingerprint: string },
): Promise<HeldAddress[]> {
  const told = sql`s.store_id = ${of.storeId} and s.method = ${of.method} and s.told_minor is not null`
  const { rows } = await sql<HeldAddress>`
    select a.target, a.address, a.derivation_index from crypto_addresses a
    join (${holding(told)}) held on held.target = a.target and held.units > 0
    where a.store_id = ${of.storeId} and a.method = ${of.method} and a.fingerprint = ${of.fingerprint}
    order by held.units desc, a.target limit ${addressesMax}
  `.execute(db)
  return rows
}

/** Undefined while another one is open. */
export function insertSweep(
  tx: Tx,
  store: StoreRow,
  sweep: Pick<CryptoSweepRow, 'method' | 'recipient' | 'actor' | 'feePerGas'>,
): Promise<CryptoSweepRow | undefined> {
  return tx
    .insertInto('cryptoSweeps')
    .values({ ...sweep, storeId: store.id, id: newId() })
    .onConflict((conflict) => conflict.columns(['storeId', 'method']).where('status', '=', sql.lit('open')).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export type NewStep = Pick<CryptoSweepStepRow, 'target' | 'derivationIndex' | 'units' | 'gas' | 'fundUnits'>

export async function insertSteps(tx: Tx, { storeId, id }: CryptoSweepRow, steps: readonly NewStep[]): Promise<void> {
  await tx
    .insertInto('cryptoSweepSteps')
    .values(steps.map((step) => ({ ...step, storeId, sweepId: id })))
    .execute()
}

export function selectSweep(
  db: Db,
  { storeId, sweepId }: { storeId: string; sweepId: string },
): Promise<CryptoSweepRow | undefined> {
  return db
    .selectFrom('cryptoSweeps')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('id', '=', sweepId)
    .executeTakeFirst()
}

export function selectSteps(db: Db, { storeId, id }: CryptoSweepRow): Promise<CryptoSweepStepRow[]> {
  return db
    .selectFrom('cryptoSweepSteps')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('sweepId', '=', id)
    .orderBy('derivationIndex')
    .execute()
}

export async function selectSweeps(db: Db, store: StoreRow, method: string) {
  const sweeps = await db
    .selectFrom('cryptoSweeps')
    .selectAll()
    .where('storeId', '=', store.id)
    .where('method', '=', method)
    .orderBy('dateCreated', 'desc')
    .limit(sweepsShown)
    .execute()
  return Promise.all(sweeps.map(async (sweep) => ({ sweep, steps: await selectSteps(db, sweep) })))
}

type Signed = { raw: string; txid: string } | { fundRaw: string; fundTxid: string; fundNonce: number }

/** What was signed first is what is sent: a second signature of the same step is thrown away. */
export function keepSigned(tx: Tx, step: CryptoSweepStepRow, signed: Signed): Promise<CryptoSweepStepRow | undefined> {
  return tx
    .updateTable('cryptoSweepSteps')
    .set(signed)
    .where('storeId', '=', step.storeId)
    .where('sweepId', '=', step.sweepId)
    .where('target', '=', step.target)
    .where('raw' in signed ? 'txid' : 'fundTxid', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function endStep(
  tx: Tx,
  { storeId, sweepId, target }: CryptoSweepStepRow,
  end: { status: 'done' } | { status: 'failed'; failure: string },
): Promise<void> {
  await tx
    .updateTable('cryptoSweepSteps')
    .set(end)
    .where('storeId', '=', storeId)
    .where('sweepId', '=', sweepId)
    .where('target', '=', target)
    .where('status', '=', 'open')
    .execute()
}

export async function endSweep(tx: Tx, { storeId, id }: CryptoSweepRow, status: 'done' | 'failed'): Promise<void> {
  await tx.updateTable('cryptoSweeps').set({ status }).where('storeId', '=', storeId).where('id', '=', id).execute()
}
