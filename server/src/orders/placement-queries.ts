import { type Insertable, sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import { jsonb } from '#platform/db/json'
import { newId } from '#platform/db/ids'
import type { Tables } from '#platform/db/tables'
import type { CustomValue, OrderRow } from './tables.ts'

export interface NewLine {
  productId: string
  productName: string
  quantity: number
  costMinor: number
  discountMinor: number
  feeMinor: number
  feePercentage: number
  isDynamic: boolean
  takesItems: boolean
  canWait: boolean
}

export type NewOrderRow = Omit<Insertable<Tables['orders']>, 'customValues' | 'metadata' | 'expiresAt'> & {
  customValues: readonly Pick<CustomValue, 'key' | 'value'>[]
  metadata: Readonly<Record<string, string>>
}

/** The order with its lines, its way by id alone and the first entry of its history, in one statement. */
export function insertOrder(
  tx: Tx,
  { customValues, metadata, ...order }: NewOrderRow,
  {
    lines,
    actor,
    expiresAfterSeconds,
  }: { lines: readonly NewLine[]; actor: string | null; expiresAfterSeconds: number | null },
): Promise<OrderRow> {
  const { storeId, id } = order
  const dateCreated = new Date().toISOString()
  return tx
    .with('line', () => insertLines(order, lines))
    .with('entry', (db) => db.insertInto('directory').values({ id, kind: 'order', storeId }))
    .with('told', (db) =>
      db.insertInto('orderHistory').values({
        storeId,
        orderId: id,
        number: 1,
        id: newId(),
        kind: 'created',
        toStatus: order.status,
        actor,
      }),
    )
    .insertInto('orders')
    .values({
      ...order,
      customValues: jsonb(customValues.map((each) => ({ id: newId(), dateCreated, ...each }))),
      metadata: jsonb({ ...metadata }),
      expiresAt: sql<Date | null>`now() + make_interval(secs => ${expiresAfterSeconds}::double precision)`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Read from one value, so that the statement is the same however many lines there are. */
function insertLines({ storeId, id }: { storeId: string; id: string }, lines: readonly NewLine[]) {
  return sql<{ productId: string }>`(
    insert into order_lines (
      store_id, order_id, position, product_id, product_name, quantity, cost_minor, discount_minor, fee_minor,
      fee_percentage, is_dynamic, takes_items, can_wait
    )
    select ${storeId}::uuid, ${id}::uuid, position, "productId", "productName", quantity, "costMinor", "discountMinor",
      "feeMinor", "feePercentage", "isDynamic", "takesItems", "canWait"
    from jsonb_to_recordset(${JSON.stringify(lines.map((line, position) => ({ ...line, position })))}::jsonb) as line (
      position smallint, "productId" uuid, "productName" text, quantity integer, "costMinor" bigint,
      "discountMinor" bigint, "feeMinor" bigint, "feePercentage" double precision, "isDynamic" boolean,
      "takesItems" boolean, "canWait" boolean
    )
    returning product_id
  )`
}
