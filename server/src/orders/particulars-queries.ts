import { sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import type { OrderRow } from './tables.ts'

export interface Particulars {
  emailAddress: string
  sellerAddress: string | null
  /** The store's custom domain, once it is proven. */
  activeDomain: string | null
  lines: { productId: string; name: string; quantity: number }[]
  /** What the products say on delivery. */
  messages: string[]
}

export async function selectParticulars(tx: Tx, { storeId, id, customerId }: OrderRow): Promise<Particulars> {
  const { rows } = await sql<Particulars>`
    select
      (select email_address from customers where store_id = ${storeId} and id = ${customerId}) as "emailAddress",
      (
        select users.email_address from stores join users on users.id = stores.owner_id where stores.id = ${storeId}
      ) as "sellerAddress",
      (select domain from custom_domains where store_id = ${storeId} and status = 'active') as "activeDomain",
      coalesce((
        select jsonb_agg(
          jsonb_build_object('productId', product_id, 'name', product_name, 'quantity', quantity) order by position
        )
        from order_lines where store_id = ${storeId} and order_id = ${id}
      ), '[]') as "lines",
      array(
        select product.delivery_message
        from order_lines line
        join products product on product.store_id = ${storeId} and product.id = line.product_id
        where line.store_id = ${storeId} and line.order_id = ${id} and product.delivery_message is not null
        order by line.position
      ) as "messages"
  `.execute(tx)
  const [particulars] = rows
  if (!particulars) throw new Error('a select without from gives one row')
  return particulars
}
