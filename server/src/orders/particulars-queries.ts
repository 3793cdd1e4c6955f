import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database'
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

export async function selectParticulars(db: Db, { storeId, id, customerId }: OrderRow): Promise<Particulars> {
  const { rows } = await sql<{ particulars: Particulars }>`
    select ${particularsOfOrder({ storeId, orderId: id, customerId: sql`${customerId}::uuid` })} as "particulars"
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('a select without from gives one row')
  return row.particulars
}

/** As a value in any statement. */
export function particularsOfOrder({
  storeId,
  orderId,
  customerId,
}: {
  storeId: string
  orderId: string
  customerId: RawBuilder<unknown>
}): RawBuilder<Particulars> {
  return sql`jsonb_build_object(
    'emailAddress', (select email_address from customers where store_id = ${storeId} and id = ${customerId}),
    'sellerAddress', (
      select users.email_address from stores join users on users.id = stores.owner_id where stores.id = ${storeId}
    ),
    'activeDomain', (select domain from custom_domains where store_id = ${storeId} and status = 'active'),
    'lines', coalesce((
      select jsonb_agg(
        jsonb_build_object('productId', product_id, 'name', product_name, 'quantity', quantity) order by position
      )
      from order_lines where store_id = ${storeId} and order_id = ${orderId}
    ), '[]'),
    'messages', coalesce((
      select jsonb_agg(product.delivery_message order by line.position)
      from order_lines line
      join products product on product.store_id = ${storeId} and product.id = line.product_id
      where line.store_id = ${storeId} and line.order_id = ${orderId} and product.delivery_message is not null
    ), '[]')
  )`
}
