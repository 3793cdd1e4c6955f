import { type RawBuilder, sql } from 'kysely'

export interface NewCustomer {
  storeId: string
  id: string
  emailAddress: string
  ipAddress: string | null
}

/**
 * A part of a statement, which gives a row unless there is such a customer already: a customer is an e-mail address within
 * a store, whatever its case.
 */
export function insertingCustomer({ storeId, id, emailAddress, ipAddress }: NewCustomer): RawBuilder<{ id: string }> {
  return sql`
    insert into customers (store_id, id, email_address, ip_address)
    values (${storeId}, ${id}, ${emailAddress}, ${ipAddress})
    on conflict (store_id, lower(email_address)) do nothing
    returning id
  `
}

/** A part of a statement, which gives a row unless the customer was erased meanwhile; erasing waits for its end. */
export function holdingCustomer(
  { storeId, customerId }: { storeId: string; customerId: string },
  emailAddress: string,
): RawBuilder<{ id: string }> {
  return sql`
    select id from customers
    where store_id = ${storeId} and id = ${customerId} and email_address = ${emailAddress}::text
    for key share
  `
}

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
