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
