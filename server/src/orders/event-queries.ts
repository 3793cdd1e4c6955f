import type { Tx } from '#platform/db/database'
import type { OrderRow } from './tables.ts'

export async function selectEventDetails(tx: Tx, { storeId, id, customerId }: OrderRow) {
  const rows = await tx
    .selectFrom('orderLines')
    .innerJoin('customers', (join) =>
      join.onRef('customers.storeId', '=', 'orderLines.storeId').on('customers.id', '=', customerId),
    )
    .select(['productId', 'productName', 'quantity', 'customers.emailAddress'])
    .where('orderLines.storeId', '=', storeId)
    .where('customers.storeId', '=', storeId)
    .where('orderId', '=', id)
    .orderBy('position')
    .execute()
  return {
    customer: { id: customerId, emailAddress: rows[0]?.emailAddress ?? '' },
    lines: rows.map(({ productId, productName, quantity }) => ({ productId, name: productName, quantity })),
  }
}
