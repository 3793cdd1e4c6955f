import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { DeliveryKind, DeliveryRow, DeliveryStatus } from './tables.ts'

/** One receiver of one store. */
export interface LaneKey {
  readonly storeId: string
  readonly lane: string
}

export interface NewDelivery {
  readonly id: string
  readonly lane: string
  readonly kind: DeliveryKind
  readonly type: string
  readonly messageId: string
  readonly subjectId: string
  readonly body: string | null
}

/**
 * Due at the very moment, not at the transaction's beginning: one that began early and waited for its turn to number
 * events would send its later events first.
 */
export async function insertDeliveries(tx: Tx, storeId: string, deliveries: readonly NewDelivery[]): Promise<void> {
  await sql`
    insert into webhook_deliveries (store_id, id, lane, kind, type, message_id, subject_id, body, next_try_at)
    select ${storeId}, new.*, clock_timestamp() from unnest(
      ${deliveries.map(({ id }) => id)}::uuid[],
      ${deliveries.map(({ lane }) => lane)}::text[],
      ${deliveries.map(({ kind }) => kind)}::text[],
      ${deliveries.map(({ type }) => type)}::text[],
      ${deliveries.map(({ messageId }) => messageId)}::uuid[],
      ${deliveries.map(({ subjectId }) => subjectId)}::uuid[],
      ${deliveries.map(({ body }) => body)}::text[]
    ) as new (id, lane, kind, type, message_id, subject_id, body)
    on conflict (store_id, message_id, lane) do nothing
  `.execute(tx)
}

export async function upsertDynamicRequest(
  tx: Tx,
  { storeId, lane }: LaneKey,
  request: { id: string; orderId: string; data: unknown },
): Promise<void> {
  await sql`
    insert into webhook_deliveries (store_id, id, lane, kind, type, message_id, subject_id, body)
    values (
      ${storeId}, ${request.id}, ${lane}, 'dynamic', 'product.dynamic', ${request.id}, ${request.orderId},
      '{"type":"product.dynamic","timestamp":"'
        || to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        || ${`","data":${JSON.stringify(request.data)}}`}::text
    )
    on conflict (store_id, lane, subject_id) where kind = 'dynamic'
    do update set status = 'waiting', tries = 0, next_try_at = now()
  `.execute(tx)
}

/** In the order of their names, so that two transactions never wait for each other in a ring. */
export async function upsertLanes(tx: Tx, storeId: string, lanes: readonly string[]) {
  const names = lanes.toSorted()
  const known = await tx
    .selectFrom('webhookLanes')
    .where('storeId', '=', storeId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .select(['name', 'isFailing'])
    .orderBy('name')
    .execute()
  const fresh = names.filter((name) => !known.some((lane) => lane.name === name))
  if (fresh.length === 0) return known
  await tx
    .insertInto('webhookLanes')
    .values(fresh.map((name) => ({ storeId, name })))
    .onConflict((conflict) => conflict.columns(['storeId', 'name']).doNothing())
    .execute()
  return [...known, ...fresh.map((name) => ({ name, isFailing: false }))]
}

export interface LaneLease {
  readonly worker: string
  readonly seconds: number
}

/** Undefined while another worker has it. */
export async function claimLane(db: Db, { storeId, lane }: LaneKey, { worker, seconds }: LaneLease) {
  const { rows } = await sql<{ isFailing: boolean }>`
    update webhook_lanes set worker = ${worker}, worked_until = now() + make_interval(secs => ${seconds})
    where store_id = ${storeId} and name = ${lane} and (worked_until is null or worked_until < now())
    returning is_failing
  `.execute(db)
  return rows[0]
}

/** False when the lease has gone to another worker. */
export async function keepLane(db: Db, { storeId, lane }: LaneKey, { worker, seconds }: LaneLease): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_lanes set worked_until = now() + make_interval(secs => ${seconds})
    where store_id = ${storeId} and name = ${lane} and worker = ${worker}
  `.execute(db)
  return numAffectedRows === 1n
}

/** Nothing happens when the lease has gone to another worker. */
export async function leaveLane(tx: Tx, { storeId, lane }: LaneKey, worker: string): Promise<void> {
  await tx
    .updateTable('webhookLanes')
    .set({ worker: null, workedUntil: null })
    .where('storeId', '=', storeId)
    .where('name', '=', lane)
    .where('worker', '=', worker)
    .execute()
}

/** `goneUrl` is the address that said it is gone; whoever takes something is there again. */
export async function noteLane(
  tx: Tx,
  { storeId, lane }: LaneKey,
  { isFailing, goneUrl }: { isFailing: boolean; goneUrl: string | null },
): Promise<void> {
  await sql`
    update webhook_lanes set is_failing = ${isFailing},
      gone_url = case when ${isFailing} then coalesce(${goneUrl}::text, gone_url) end
    where store_id = ${storeId} and name = ${lane}
      and (is_failing <> ${isFailing} or gone_url is distinct from
        case when ${isFailing} then coalesce(${goneUrl}::text, gone_url) end)
  `.execute(tx)
}

/** What is due, longest due first; nothing about subjects of which something is under way. */
export async function selectDue(
  db: Db,
  { storeId, lane }: LaneKey,
  { busySubjects, limit }: { busySubjects: readonly string[]; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select * from webhook_deliveries
    where store_id = ${storeId} and lane = ${lane} and status = 'waiting' and next_try_at <= now()
      and subject_id <> all(${[...busySubjects]}::uuid[])
    order by next_try_at, id
    limit ${limit}
  `.execute(db)
  return rows
}

/** Seconds until something of the lane is due; undefined when nothing waits. */
export async function selectNextDueSeconds(db: Db, { storeId, lane }: LaneKey): Promise<number | undefined> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from next_try_at - now())::double precision as seconds from webhook_deliveries
    where store_id = ${storeId} and lane = ${lane} and status = 'waiting'
    order by next_try_at limit 1
  `.execute(db)
  return rows[0] && Math.max(0, rows[0].seconds)
}

export interface TryResult {
  readonly status: DeliveryStatus
  readonly nextTrySeconds: number
  /** False when the try did not count: nothing was sent. */
  readonly isCounted: boolean
}

/** False when another try of it was recorded first. */
export async function settleDelivery(tx: Tx, delivery: DeliveryRow, result: TryResult): Promise<boolean> {
  const updated = await tx
    .updateTable('webhookDeliveries')
    .set({
      status: result.status,
      tries: delivery.tries + (result.isCounted ? 1 : 0),
      nextTryAt: sql<Date>`now() + make_interval(secs => ${result.nextTrySeconds}::double precision)`,
    })
    .where('storeId', '=', delivery.storeId)
    .where('id', '=', delivery.id)
    .where('tries', '=', delivery.tries)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** Those of a receiver that is gone; not the requests for items, which orders must be told of one by one. */
export async function stopDeliveries(tx: Tx, { storeId, lane }: LaneKey): Promise<void> {
  await tx
    .updateTable('webhookDeliveries')
    .set({ status: 'stopped' })
    .where('storeId', '=', storeId)
    .where('lane', '=', lane)
    .where('status', '=', 'waiting')
    .where('kind', '<>', 'dynamic')
    .execute()
}

export async function stopDynamicRequests(
  tx: Tx,
  { storeId, orderId, lanes }: { storeId: string; orderId: string; lanes: readonly string[] },
): Promise<void> {
  await tx
    .updateTable('webhookDeliveries')
    .set({ status: 'stopped' })
    .where('storeId', '=', storeId)
    .where('lane', '=', sql<string>`any(${[...lanes]}::text[])`)
    .where('subjectId', '=', orderId)
    .where('kind', '=', 'dynamic')
    .where('status', '=', 'waiting')
    .execute()
}
