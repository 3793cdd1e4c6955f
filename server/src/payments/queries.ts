import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { PaymentKind, PaymentRow } from './tables.ts'

export interface Movement {
  gateway: string
  /** The gateway's own name of it. */
  externalId: string
  kind: PaymentKind
  amountMinor: number
  currency: string
  isSurplus: boolean
}

/** Undefined when this very movement is known already. */
export function insertPayment(
  tx: Tx,
  order: { storeId: string; id: string },
  movement: Movement,
): Promise<PaymentRow | undefined> {
  return tx
    .insertInto('payments')
    .values({ storeId: order.storeId, id: newId(), orderId: order.id, ...movement })
    .onConflict((conflict) => conflict.columns(['storeId', 'gateway', 'externalId', 'kind']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** The owner's switches: methods that are off in all of the seller's stores. */
export async function selectDisabledMethods(db: Db, owner: { ownerId: string }): Promise<Record<string, string>> {
  const user = await db
    .selectFrom('users')
    .select('disabledPaymentMethods')
    .where('id', '=', owner.ownerId)
    .executeTakeFirst()
  return user?.disabledPaymentMethods ?? {}
}
