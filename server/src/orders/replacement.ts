import { createHash } from 'node:crypto'
import type { Db } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import { openItem } from '#products/item-secrets'
import { takeItems } from '#products/stock'
import { conflict, notFound } from '#problem'
import { openAnswer } from './answer-secrets.ts'
import { type Change, lockOrder, noteOrder } from './change.ts'
import { mailDeliveryLater } from './mails.ts'
import { selectLines } from './queries.ts'
import { markReplaced, selectItemsOfOrder } from './replacement-queries.ts'
import { isHandedOver } from './status.ts'
import type { OrderLineRow, OrderRow } from './tables.ts'

/** Everything that was handed over, what was replaced later included. */
export async function selectDelivered(db: Db, { secrets }: Pick<Platform, 'secrets'>, order: OrderRow) {
  const lines = (await selectLines(db, order)).filter((line) => line.deliveredAt !== null)
  const items = await selectItemsOfOrder(db, order)
  const delivered = lines.flatMap((line) => {
    const dateDelivered = line.deliveredAt ?? order.dateCreated
    const own = items.filter(({ productId }) => productId === line.productId)
    const fromStock = own.map(({ id, takenAt, replacedAt, ...item }) => ({
      id,
      productId: item.productId,
      value: openItem({ secrets }, item),
      dateDelivered: takenAt && takenAt > dateDelivered ? takenAt : dateDelivered,
      isReplaced: replacedAt !== null,
    }))
    return [...fromStock, ...answersOf({ secrets }, line, dateDelivered)]
  })
  return delivered.map((item) => ({ ...item, isRefunded: order.status === 'Refunded' }))
}

/** Another item of the same product from stock, in place of one that does not work. The buyer gets the new list. */
export async function replaceItem(change: Change, { storeId, id }: OrderRow, itemId: string): Promise<OrderRow> {
  const { tx } = change
  const order = await lockOrder(tx, { storeId, orderId: id })
  if (!isHandedOver(order)) throw conflict(`An order that is ${order.status} has no items to replace`)
  const lines = await selectLines(tx, order)
  const isAnswer = lines.some((line) =>
    answersOf(change.platform, line, order.dateCreated).some((item) => item.id === itemId),
  )
  if (isAnswer) throw conflict('Items of a dynamic product come from your webhook and cannot be replaced from stock')
  const replaced = await markReplaced(tx, order, itemId)
  if (!replaced) throw notFound('item')

  const wanted = [{ productId: replaced.productId, quantity: 1 }]
  const taken = await takeItems(tx, { storeId, orderId: id, lines: wanted })
  if (taken.length === 0) throw conflict('There is no other item in stock')
  await noteOrder(change, order, { kind: 'replaced', reason: `item ${itemId}` })
  await mailDeliveryLater(change, order)
  return order
}

/** Answers are kept as one text, so their ids are made from their places. */
function answersOf({ secrets }: Pick<Platform, 'secrets'>, line: OrderLineRow, dateDelivered: Date) {
  const { answer } = line
  if (answer === null) return []
  return openAnswer(secrets, { ...line, answer }).map((value, index) => ({
    id: idOfAnswer(line, index),
    productId: line.productId,
    value,
    dateDelivered,
    isReplaced: false,
  }))
}

function idOfAnswer({ orderId, productId }: OrderLineRow, index: number): string {
  const hex = createHash('sha256').update(`${orderId}/${productId}/${index}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
