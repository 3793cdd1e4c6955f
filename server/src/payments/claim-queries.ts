import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { PaymentClaimRow, PaymentProofRow } from './tables.ts'

type Named = { storeId: string; id: string }

export interface ClaimEnd {
  status: 'confirmed' | 'rejected'
  decidedBy: string | null
  reason: string | null
}

/** Undefined while another one is open. */
export function insertClaim(
  tx: Tx,
  { storeId, id, gateway }: Named & { gateway: string },
  note: string | null,
): Promise<PaymentClaimRow | undefined> {
  return tx
    .insertInto('paymentClaims')
    .values({ storeId, id: newId(), orderId: id, gateway, note, status: 'open' })
    .onConflict((conflict) =>
      conflict.columns(['storeId', 'orderId']).where('status', '=', sql.lit('open')).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

export function endOpenClaim(tx: Tx, { storeId, id }: Named, end: ClaimEnd): Promise<PaymentClaimRow | undefined> {
  return tx
    .updateTable('paymentClaims')
    .set({ ...end, decidedAt: sql<Date>`now()` })
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .where('status', '=', 'open')
    .returningAll()
    .executeTakeFirst()
}

export function selectClaims(db: Db, { storeId, id }: Named): Promise<PaymentClaimRow[]> {
  return db
    .selectFrom('paymentClaims')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .orderBy('dateCreated', 'desc')
    .execute()
}

/** False when there are as many as may be. */
export async function insertProof(
  tx: Tx,
  proof: Omit<PaymentProofRow, 'dateCreated'>,
  { max }: { max: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into payment_proofs (store_id, order_id, id, friendly_name, storage_key, bytes, sha256)
    select ${proof.storeId}, ${proof.orderId}, ${proof.id}, ${proof.friendlyName}, ${proof.storageKey},
      ${proof.bytes}, ${proof.sha256}
    where (
      select count(*) from payment_proofs where store_id = ${proof.storeId} and order_id = ${proof.orderId}
    ) < ${max}
    returning id
  `.execute(tx)
  return rows.length > 0
}

export function selectProofs(db: Db, { storeId, id }: Named): Promise<PaymentProofRow[]> {
  return db
    .selectFrom('paymentProofs')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .orderBy('id')
    .execute()
}

export function selectProof(db: Db, { storeId, id }: Named, proofId: string): Promise<PaymentProofRow | undefined> {
  return db
    .selectFrom('paymentProofs')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .where('id', '=', proofId)
    .executeTakeFirst()
}
