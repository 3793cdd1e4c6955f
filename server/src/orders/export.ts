import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { Db } from '#platform/db/database'
import { fromMinor } from '#platform/money/money'
import type { StoreRow } from '#stores/tables'
import { type ExportRow, selectExportRows } from './export-queries.ts'

const rowsAtOnce = 500

const columns = {
  id: 'id',
  dateCreated: 'dateCreated',
  status: 'status',
  emailAddress: 'emailAddress',
  products: 'products',
  quantity: 'quantity',
  currency: 'currency',
  subtotal: 'subtotal',
  discount: 'discount',
  fee: 'fee',
  cost: 'cost',
  amountPaid: 'amountPaid',
  amountRefunded: 'amountRefunded',
  gateway: 'gateway',
  transactionId: 'transactionId',
  couponName: 'coupon',
  countryCode: 'countryCode',
  ipAddress: 'ipAddress',
  datePaid: 'datePaid',
  dateDelivered: 'dateDelivered',
}

/** A store's orders as a table, newest first. It is read and written bit by bit, however many there are. */
export function exportOrders(db: Db, store: StoreRow): Readable {
  const table = stringify({ header: true, columns, escape_formulas: true, bom: true })
  const rows = Readable.from(exportedRows(db, store), { highWaterMark: 16 })
  rows.on('error', (error) => table.destroy(error))
  table.on('close', () => rows.destroy())
  return rows.pipe(table)
}

async function* exportedRows(db: Db, store: StoreRow) {
  let last: ExportRow | undefined
  for (;;) {
    const rows = await selectExportRows(db, store, { before: last, limit: rowsAtOnce })
    for (const row of rows) yield toCells(row)
    last = rows.at(-1)
    if (rows.length < rowsAtOnce) return
  }
}

function toCells(row: ExportRow) {
  const amount = (minor: number) => fromMinor(minor, row.currency)
  return {
    ...row,
    dateCreated: row.dateCreated.toISOString(),
    datePaid: row.paidAt?.toISOString() ?? '',
    dateDelivered: row.deliveredAt?.toISOString() ?? '',
    subtotal: amount(row.subtotalMinor),
    discount: amount(row.discountMinor),
    fee: amount(row.feeMinor),
    cost: amount(row.costMinor),
    amountPaid: amount(row.paidMinor),
    amountRefunded: amount(row.refundedMinor),
  }
}
