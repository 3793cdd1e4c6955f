import { type RawBuilder, sql } from 'kysely'

/** A part of a statement, which gives a row when it is the customer's first paid order. `condition` is the caller's. */
export function markingFirstPaid(
  { storeId, customerId }: { storeId: string; customerId: string },
  condition: RawBuilder<unknown>,
): RawBuilder<{ id: string }> {
  return sql`
    update customers set first_paid_at = now()
    where store_id = ${storeId} and id = ${customerId} and first_paid_at is null and ${condition}
    returning id
  `
}
