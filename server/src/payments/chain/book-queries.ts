import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { CryptoAddressRow, CryptoSightingRow } from '../tables.ts'
import type { Found, Ledger, Look, Move, Outpoint } from './chain.ts'

export function selectCursor(
  db: Db,
  method: string,
): Promise<{ version: number; tip: number; cursor: unknown } | undefined> {
  return db
    .selectFrom('cryptoCursors')
    .select(['version', 'tip', 'cursor'])
    .where('method', '=', method)
    .executeTakeFirst()
}

/** False when the chain was read by another one since: then nothing of this reading may be written. */
export async function moveCursor(
  tx: Tx,
  method: string,
  { version, tip, cursor }: { version: number; tip: number; cursor: unknown },
): Promise<boolean> {
  const { rows } = await sql`
    insert into crypto_cursors (method, version, tip, cursor)
    values (${method}, 1, ${tip}, ${JSON.stringify(cursor)}::jsonb)
    on conflict (method) do update
    set version = crypto_cursors.version + 1, tip = excluded.tip, cursor = excluded.cursor, read_at = now()
    where crypto_cursors.version = ${version}
    returning version
  `.execute(tx)
  const [row] = rows
  return row !== undefined && Object(row).version === version + 1
}

export async function selectSince(db: Db, method: string): Promise<Date | null> {
  const row = await db
    .selectFrom('cryptoAddresses')
    .select((eb) => eb.fn.min('dateCreated').as('since'))
    .where('method', '=', method)
    .executeTakeFirst()
  return row?.since ?? null
}

export function selectLive(db: Db, method: string, heightMin: number): Promise<CryptoSightingRow[]> {
  return db
    .selectFrom('cryptoSightings')
    .selectAll()
    .where('method', '=', method)
    .where('goneAt', 'is', null)
    .where((eb) => eb.or([eb('height', 'is', null), eb('height', '>=', heightMin)]))
    .execute()
}

export function selectAmong(db: Db, method: string, targets: readonly string[]): Promise<CryptoAddressRow[]> {
  if (targets.length === 0) return Promise.resolve([])
  return db
    .selectFrom('cryptoAddresses')
    .selectAll()
    .where('method', '=', method)
    .where(sql<boolean>`target = any(${[...targets]}::text[])`)
    .execute()
}

export function selectUnspent(db: Db, method: string, txids: readonly string[]): Promise<Outpoint[]> {
  if (txids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('cryptoSightings')
    .select(['txid', 'position'])
    .where('method', '=', method)
    .where(sql<boolean>`txid = any(${[...txids]}::text[])`)
    .where('spentAt', 'is', null)
    .execute()
}

export async function selectLedgers(
  db: Db,
  method: string,
  { targets, height }: { targets: readonly string[]; height: number },
): Promise<Ledger[]> {
  const { rows } = await sql<Ledger>`
    select a.target, a.prior_units as prior,
      (
        select coalesce(sum(s.units::numeric), 0)::text from crypto_sightings s
        where s.method = ${method} and s.target = a.target and s.gone_at is null and s.height <= ${height}
      ) as received,
      (
        select coalesce(sum(m.units::numeric), 0)::text from crypto_moves m
        where m.method = ${method} and m.target = a.target and m.height <= ${height}
      ) as sent
    from crypto_addresses a
    where a.method = ${method} and a.target = any(${[...targets]}::text[])
  `.execute(db)
  return rows
}

export function selectTurn(db: Db, method: string, count: number): Promise<CryptoAddressRow[]> {
  return db
    .selectFrom('cryptoAddresses')
    .selectAll()
    .where('method', '=', method)
    .where(sql<boolean>`look_at <= now()`)
    .orderBy('lookAt')
    .limit(count)
    .execute()
}

/** Often while an order is young or a payment is under way, then ever less, but never no more. */
export async function setNextTurn(
  tx: Tx,
  method: string,
  targets: readonly string[],
  turnSeconds: number,
): Promise<void> {
  const soon = sql`make_interval(secs => ${turnSeconds})`
  await sql`
    update crypto_addresses
    set look_at = now() + case
      when date_created > now() - interval '1 hour' then ${soon}
      when exists (
        select from crypto_sightings s
        where s.method = ${method} and s.target = crypto_addresses.target and s.gone_at is null and not s.is_settled
      ) then ${soon}
      when date_created > now() - interval '2 days' then greatest(${soon}, interval '1 minute')
      when date_created > now() - interval '14 days' then interval '1 hour'
      when date_created > now() - interval '90 days' then interval '12 hours'
      else interval '7 days'
    end
    where method = ${method} and target = any(${[...targets]}::text[])
  `.execute(tx)
}

export async function replaceMoves(
  tx: Tx,
  method: string,
  { above, moves }: { above: number; moves: readonly Move[] },
): Promise<void> {
  await tx.deleteFrom('cryptoMoves').where('method', '=', method).where('height', '>', above).execute()
  if (moves.length === 0) return
  const rows = moves.map(({ txid, position, target, units, feeUnits, height }) => ({
    ...{ method, txid, position, target, height },
    ...{ units: units.toString(), feeUnits: feeUnits.toString() },
  }))
  await tx.insertInto('cryptoMoves').values(rows).execute()
}

/** The first answer stays. */
export async function setPriors(tx: Tx, method: string, priors: NonNullable<Look['priors']>): Promise<void> {
  for (const { target, units } of priors) {
    await tx
      .updateTable('cryptoAddresses')
      .set({ priorUnits: units.toString() })
      .where('method', '=', method)
      .where('target', '=', target)
      .where('priorUnits', 'is', null)
      .execute()
  }
}

/** An address may have had a life before; what came to it then pays nothing here. Blocks may lie by two hours. */
export async function upsertFound(tx: Tx, method: string, found: readonly Found[]): Promise<void> {
  await sql`
    insert into crypto_sightings (method, txid, position, target, store_id, order_id, units, height, paid_at)
    select ${method}, f.txid, f.position, a.target, a.store_id, a.order_id, f.units, f.height,
      greatest(least(coalesce(f.time, now()), now()), a.date_created)
    from unnest(
      ${found.map(({ txid }) => txid)}::text[], ${found.map(({ position }) => position)}::integer[],
      ${found.map(({ target }) => target)}::text[], ${found.map(({ units }) => units.toString())}::text[],
      ${found.map(({ height }) => height)}::integer[], ${found.map(({ time }) => time)}::timestamptz[]
    ) as f (txid, position, target, units, height, time)
    join crypto_addresses a on a.method = ${method} and a.target = f.target
    where f.time is null or f.time > a.date_created - interval '2 hours'
    on conflict (method, txid, position) do update
    set height = excluded.height, gone_at = null, is_settled = false
    where crypto_sightings.height is distinct from excluded.height or crypto_sightings.gone_at is not null
  `.execute(tx)
}

export async function markGone(tx: Tx, method: string, gone: readonly Outpoint[]): Promise<void> {
  await sql`
    update crypto_sightings set gone_at = now(), height = null, is_settled = false
    from ${outpoints(gone)} where method = ${method} and crypto_sightings.txid = o.txid
      and crypto_sightings.position = o.position and gone_at is null
  `.execute(tx)
}

export async function markSpent(tx: Tx, method: string, spent: readonly Outpoint[]): Promise<void> {
  await sql`
    update crypto_sightings set spent_at = now()
    from ${outpoints(spent)} where method = ${method} and crypto_sightings.txid = o.txid
      and crypto_sightings.position = o.position and spent_at is null
  `.execute(tx)
}

function outpoints(list: Look['gone']) {
  return sql`unnest(
    ${list.map(({ txid }) => txid)}::text[], ${list.map(({ position }) => position)}::integer[]
  ) as o (txid, position)`
}
