import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { job } from '#platform/jobs/job'
import {
  addDayDifference,
  addMonthDifferences,
  addProductDifferences,
  addTicketDifferences,
  lockStore,
  moveDayToSpans,
  selectDayDifferences,
  selectOpenDays,
} from './queries.ts'

const daysAtOnce = 500

export const sumUpDaysJob = job('sum-up-days', Type.Object({}), { leaseSeconds: 120 })

/** Puts the days of products that are over together. Done again, or by two at once, it changes no sum. */
export async function sumUpDays(db: Db): Promise<void> {
  for (;;) {
    const days = await selectOpenDays(db, daysAtOnce)
    for (const day of days) await transact(db, (tx) => moveDayToSpans(tx, day))
    if (days.length < daysAtOnce) return
  }
}

/** How many counters disagreed with the orders and tickets they count, and were mended. */
export interface Mended {
  stores: number
  days: number
  products: number
  months: number
  ticketDays: number
}

/**
 * Computes every counter anew from the orders, payments and tickets themselves, and mends what differs. All zeros prove
 * that both agree. Sales go on meanwhile.
 */
export async function rebuildRollups(db: Db, storeId?: string): Promise<Mended> {
  const ids = storeId === undefined ? await selectStoreIds(db) : [storeId]
  const mended: Mended = { stores: 0, days: 0, products: 0, months: 0, ticketDays: 0 }
  for (const id of ids) {
    const found = await transact(db, (tx) => rebuildStore(tx, id))
    if (!found) continue
    mended.stores += 1
    mended.days += found.days
    mended.products += found.products
    mended.months += found.months
    mended.ticketDays += found.ticketDays
  }
  return mended
}

async function rebuildStore(tx: Parameters<Parameters<typeof transact>[1]>[0], storeId: string) {
  if (!(await lockStore(tx, storeId))) return undefined
  const days = await selectDayDifferences(tx, storeId)
  for (const difference of days) await addDayDifference(tx, storeId, difference)
  return {
    days: days.length,
    products: await addProductDifferences(tx, storeId),
    months: await addMonthDifferences(tx, storeId),
    ticketDays: await addTicketDifferences(tx, storeId),
  }
}

async function selectStoreIds(db: Db): Promise<string[]> {
  const stores = await db.selectFrom('stores').select('id').orderBy(sql`id`).execute()
  return stores.map(({ id }) => id)
}
