import type { Speech } from '@keystall/storefront/speech'
import { methodName } from '@keystall/storefront/words'
import { storeHost } from '#platform/addresses'
import type { Db } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { fromMinor } from '#platform/money/money'
import { Sheet, type Style } from '#platform/pdf/sheet'
import type { Platform } from '#platform/platform'
import { notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { speechOfOrder } from './order-language.ts'
import { particularsOf } from './particulars.ts'
import { selectReceiptLines } from './receipt-queries.ts'
import type { OrderRow } from './tables.ts'

const small: Style = { size: 9, colour: '#6f6a64' }
const plain: Style = { size: 10.5 }
const strong: Style = { size: 10.5, weight: 600 }
const columns = { quantity: 270, price: 310, total: 400 }
const columnWidth = 84

/** What was bought and paid, as a PDF. There is none before something was paid, or nothing was owed. */
export async function drawReceipt(
  db: Db,
  { config }: Pick<Platform, 'config'>,
  store: StoreRow,
  order: OrderRow,
  speech = speechOfOrder(order),
): Promise<Buffer> {
  if (order.paidAt === null) throw notFound('receipt')
  const { emailAddress, activeDomain, lines } = await transact(db, async (tx) => ({
    ...(await particularsOf(tx, order)),
    lines: await selectReceiptLines(tx, order),
  }))
  const { say } = speech
  const number = order.id.slice(-12)
  const money = (minor: number) => speech.amount(fromMinor(minor, order.currency), order.currency)
  const sheet = await Sheet.open({
    title: `${say('receipt')} ${number}`,
    author: store.name,
    language: speech.language,
  })

  sheet.y += await sheet.write(store.name, { size: 20, weight: 600 })
  sheet.y += await sheet.write(storeHost(config, { url: store.url, activeDomain }), small)
  sheet.y += 28
  sheet.y += await sheet.write(say('receipt'), { size: 14, weight: 600 })
  sheet.y += await sheet.write(say('orderNumber', { number: order.id }), plain)
  sheet.y += await sheet.write(say('orderedOn', { date: speech.exactly(order.dateCreated.toISOString()) }), plain)
  sheet.y += await sheet.write(say('paidOn', { date: speech.exactly(order.paidAt.toISOString()) }), plain)
  sheet.y += await sheet.write(say('boughtBy', { email: emailAddress }), plain)
  sheet.y += 24

  await drawHead(sheet, speech)
  for (const { name, quantity, costMinor } of lines) {
    const height = await sheet.heightOf(name, columns.quantity - 16, plain)
    if (sheet.makeRoom(height + 12)) await drawHead(sheet, speech)
    await drawRow(sheet, plain, [name, speech.count(quantity), money(costMinor), money(costMinor * quantity)])
    sheet.y += height + 8
  }
  const sums: [label: string, value: string, style: Style][] = [
    ...(order.discountMinor > 0 ? [sum(say('discount'), `−${money(order.discountMinor)}`)] : []),
    ...(order.feeMinor > 0 ? [sum(say('fee'), money(order.feeMinor))] : []),
    [say('total'), money(order.costMinor), strong],
    sum(say('paidBy', { method: methodName(speech, order.gateway) }), money(order.paidMinor)),
    ...(order.refundedMinor > 0 ? [sum(say('refundedAmount'), `−${money(order.refundedMinor)}`)] : []),
  ]
  sheet.makeRoom(sums.length * 22 + 20)
  sheet.rule()
  sheet.y += 12
  for (const [label, value, style] of sums) {
    await sheet.write(value, { ...style, x: sheet.left + columns.total, width: columnWidth, align: 'right' })
    sheet.y += 4 + (await sheet.write(label, { ...style, width: columns.total - 16 }))
  }
  return sheet.end()
}

function sum(label: string, value: string): [string, string, Style] {
  return [label, value, plain]
}

async function drawHead(sheet: Sheet, { say }: Speech): Promise<void> {
  await drawRow(sheet, small, [say('product'), say('quantity'), say('unitPrice'), say('total')])
  sheet.y += 18
  sheet.rule()
  sheet.y += 10
}

async function drawRow(sheet: Sheet, style: Style, [name, quantity, price, total]: [string, string, string, string]) {
  const right = { ...style, width: columnWidth, align: 'right' as const }
  await sheet.write(name, { ...style, width: columns.quantity - 16 })
  await sheet.write(quantity, { ...right, x: sheet.left + columns.quantity, width: 48 })
  await sheet.write(price, { ...right, x: sheet.left + columns.price })
  await sheet.write(total, { ...right, x: sheet.left + columns.total })
}
