import type { Db, Tx } from '#platform/db/database'
import { isUniqueViolation } from '#platform/db/transaction'
import { conflict, notFound, tooMany } from '#problem'
import type { StoreRow } from '#stores/tables'
import {
  countGuess,
  countProducts,
  deleteUse,
  type FilledCouponForm,
  insertCoupon,
  markCouponDeleted,
  selectCoupon,
  takeUse,
  updateCouponRow,
} from './queries.ts'
import type { CouponUse } from './parts.ts'
import type { CouponRow } from './tables.ts'

/** Wrong codes an hour, by network and store; after these every code is refused until the hour is over. */
export const guessesMax = 20

export function findCoupon(db: Db, store: StoreRow, id: string): Promise<CouponRow | undefined> {
  return selectCoupon(db, store, id)
}

export async function createCoupon(tx: Tx, store: StoreRow, form: FilledCouponForm): Promise<CouponRow> {
  await refuseUnknownProducts(tx, store, form)
  const coupon = await insertCoupon(tx, store, form)
  if (!coupon) throw nameTaken()
  return coupon
}

/** The form replaces. Uses that orders hold stay, even above a lower maximum. */
export async function updateCoupon(
  tx: Tx,
  store: StoreRow,
  coupon: CouponRow,
  form: FilledCouponForm,
): Promise<CouponRow> {
  await refuseUnknownProducts(tx, store, form)
  const changed = await updateCouponRow(tx, coupon, form).catch((error: unknown) => {
    throw isUniqueViolation(error, 'coupons_name') ? nameTaken() : error
  })
  if (!changed) throw notFound('coupon')
  return changed
}

/** Orders that used it keep it. */
export async function deleteCoupon(tx: Tx, coupon: CouponRow): Promise<void> {
  await markCouponDeleted(tx, coupon)
}

/** False when it is disabled, used up or gone: the caller rolls back. */
export function redeemCoupon(tx: Tx, use: CouponUse): Promise<boolean> {
  return takeUse(tx, use)
}

export function giveCouponBack(tx: Tx, order: { storeId: string; orderId: string }): Promise<void> {
  return deleteUse(tx, order)
}

/** Kept whatever becomes of the request. Throws when there were too many. */
export async function noteWrongCode(db: Db, store: StoreRow, network: string): Promise<void> {
  const guesses = await countGuess(db, store, network)
  if (guesses > guessesMax) throw tooManyGuesses()
}

export function tooManyGuesses() {
  const intoHourSeconds = Math.floor(Date.now() / 1000) % 3600
  return tooMany(3600 - intoHourSeconds)
}

async function refuseUnknownProducts(tx: Tx, store: StoreRow, { enabledProductIds }: FilledCouponForm): Promise<void> {
  const ids = [...new Set(enabledProductIds ?? [])]
  if (ids.length > 0 && (await countProducts(tx, store, ids)) < ids.length) throw notFound('product')
}

function nameTaken() {
  return conflict('Another coupon of this store has this name')
}
