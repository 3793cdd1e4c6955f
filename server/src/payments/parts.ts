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

/**
 * What is left at each address: what came, less what was moved on. A rest that would not pay for another move is nothing.
 * The condition is on `s`, a payment that was seen.
 */
export function holding(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select came.store_id, came.method, came.target, came.waiting,
      case when came.units - coalesce(moved.units, 0) > coalesce(moved.fee_units, 0)
        then came.units - coalesce(moved.units, 0) else 0 end as units
    from (
      select s.store_id, s.method, s.target,
        coalesce(sum(s.units::numeric) filter (where s.height is not null), 0) as units,
        coalesce(sum(s.units::numeric) filter (where s.height is null), 0) as waiting
      from crypto_sightings s
      where s.gone_at is null and s.spent_at is null and ${condition}
      group by s.store_id, s.method, s.target
    ) came
    left join lateral (
      select sum(m.units::numeric) as units, max(m.fee_units::numeric) as fee_units
      from crypto_moves m where m.method = came.method and m.target = came.target
    ) moved on true
  `
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
