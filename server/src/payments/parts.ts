import { type RawBuilder, sql } from 'kysely'
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
