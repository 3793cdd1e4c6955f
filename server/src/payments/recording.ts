import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { PaymentKind } from './tables.ts'

export interface Movement {
  gateway: string
  /** The gateway's own name of it. */
  externalId: string
  kind: PaymentKind
  amountMinor: number
  currency: string
  isSurplus: boolean
}

/** False when the gateway told of it before: a repeated notice changes nothing. */
export async function recordPayment(tx: Tx, order: Paid, movement: Movement): Promise<boolean> {
  const { rows } = await recordingPayment(order, movement).execute(tx)
  return rows.length > 0
}

type Paid = { storeId: string; id: string }

/** As a part of a statement, which gives a row unless this very movement is known already. */
export function recordingPayment(order: Paid, movement: Movement): RawBuilder<{ id: string }> {
  const { gateway, externalId, kind, amountMinor, currency, isSurplus } = movement
  return sql`
    insert into payments (store_id, id, order_id, gateway, external_id, kind, amount_minor, currency, is_surplus)
    values (
      ${order.storeId}, ${newId()}, ${order.id}, ${gateway}, ${externalId}, ${kind}, ${amountMinor}, ${currency},
      ${isSurplus}
    )
    on conflict (store_id, gateway, external_id, kind) do nothing
    returning id
  `
}
