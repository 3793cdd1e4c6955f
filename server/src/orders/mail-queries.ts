import { sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import type { OrderRow } from './tables.ts'

interface MailDetails {
  emailAddress: string
  sellerAddress: string | null
  productNames: string[]
  /** What the sellers of the products say on delivery. */
  messages: string[]
}

export async function selectMailDetails(tx: Tx, { storeId, id, customerId }: OrderRow): Promise<MailDetails> {
  const { rows } = await sql<MailDetails>`
    select
      (select email_address from customers where store_id = ${storeId} and id = ${customerId}) as "emailAddress",
      (
        select users.email_address from stores join users on users.id = stores.owner_id where stores.id = ${storeId}
      ) as "sellerAddress",
      array(
        select product_name from order_lines where store_id = ${storeId} and order_id = ${id} order by position
      ) as "productNames",
      array(
        select product.delivery_message
        from order_lines line
        join products product on product.store_id = ${storeId} and product.id = line.product_id
        where line.store_id = ${storeId} and line.order_id = ${id} and product.delivery_message is not null
        order by line.position
      ) as "messages"
  `.execute(tx)
  return rows[0] ?? { emailAddress: '', sellerAddress: null, productNames: [], messages: [] }
}
