import type { Db, Tx } from '#platform/db/database'
import { conflict } from '#problem'
import { type ClaimEnd, endOpenClaim, insertClaim, selectClaims } from './claim-queries.ts'
import type { PaymentClaimRow } from './tables.ts'

type Named = { storeId: string; id: string; gateway: string }

/** The buyer says that it is paid. One claim at a time waits for the seller. */
export async function openClaim(tx: Tx, order: Named, note: string | null): Promise<PaymentClaimRow> {
  const claim = await insertClaim(tx, order, note)
  if (!claim) throw conflict('The seller has been told, and looks for the payment')
  return claim
}

/** Undefined when none was open. */
export function endClaim(tx: Tx, order: Named, end: ClaimEnd): Promise<PaymentClaimRow | undefined> {
  return endOpenClaim(tx, order, end)
}

export function listClaims(db: Db, order: { storeId: string; id: string }): Promise<PaymentClaimRow[]> {
  return selectClaims(db, order)
}
