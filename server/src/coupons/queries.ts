import type { CouponForm } from '@keystall/contract/endpoints/coupons'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { type Page, type Paging, paginate } from '#platform/db/paging'
import type { Filled } from '#platform/http/implement'
import type { StoreRow } from '#stores/tables'
import { type CouponUse, redeemingCoupon } from './parts.ts'
import type { CouponRow } from './tables.ts'

export type FilledCouponForm = Filled<CouponForm>

export function selectCoupon(db: Db, store: StoreRow, id: string): Promise<CouponRow | undefined> {
  return db
    .selectFrom('coupons')
    .selectAll()
    .where('storeId', '=', store.id)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

/** Newest first. */
export function selectCouponPage(db: Db, store: StoreRow, paging: Paging): Promise<Page<CouponRow>> {
  const coupons = db.selectFrom('coupons').where('storeId', '=', store.id).where('deletedAt', 'is', null)
  return paginate(
    paging,
    async () => {
      const { total } = await coupons.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      return total
    },
    ({ limit, offset }) =>
      coupons.selectAll().orderBy('dateCreated', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute(),
  )
}

/** Undefined when the store already has one of that name. */
export function insertCoupon(tx: Tx, store: StoreRow, form: FilledCouponForm): Promise<CouponRow | undefined> {
  return tx
    .insertInto('coupons')
    .values({ storeId: store.id, id: newId(), ...columnsOf(form) })
    .onConflict((conflict) => conflict.columns(['storeId', 'name']).where('deletedAt', 'is', null).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Undefined when the coupon was deleted meanwhile. Throws when the name is taken. */
export function updateCouponRow(tx: Tx, coupon: CouponRow, form: FilledCouponForm): Promise<CouponRow | undefined> {
  return tx
    .updateTable('coupons')
    .set(columnsOf(form))
    .where('storeId', '=', coupon.storeId)
    .where('id', '=', coupon.id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function markCouponDeleted(tx: Tx, coupon: CouponRow): Promise<void> {
  await tx
    .updateTable('coupons')
    .set({ deletedAt: sql<Date>`now()` })
    .where('storeId', '=', coupon.storeId)
    .where('id', '=', coupon.id)
    .where('deletedAt', 'is', null)
    .execute()
}

/** How many of the products the store has. */
export async function countProducts(tx: Tx, store: StoreRow, productIds: readonly string[]): Promise<number> {
  const { found } = await tx
    .selectFrom('products')
    .where('storeId', '=', store.id)
    .where('id', '=', sql<string>`any(${productIds}::uuid[])`)
    .where('deletedAt', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow()
  return found
}

/** False when the coupon is disabled, used up or gone. */
export async function takeUse(tx: Tx, use: CouponUse): Promise<boolean> {
  const { rows } = await sql`with ${redeemingCoupon(use)} select * from redeemed`.execute(tx)
  return rows.length > 0
}

/** Nothing happens when the order holds no use. */
export async function deleteUse(tx: Tx, { storeId, orderId }: Omit<CouponUse, 'couponId'>): Promise<void> {
  await sql`
    with given as (
      delete from coupon_uses where store_id = ${storeId} and order_id = ${orderId} returning coupon_id
    )
    update coupons set uses = uses - 1 from given
    where coupons.store_id = ${storeId} and coupons.id = given.coupon_id
  `.execute(tx)
}

/** How many wrong codes there were in this hour, with this one. */
export async function countGuess(db: Db, store: StoreRow, network: string): Promise<number> {
  const { rows } = await sql<{ guesses: number }>`
    insert into coupon_guesses as known (store_id, network, hour, guesses)
    values (${store.id}, ${network}, date_trunc('hour', now()), 1)
    on conflict (store_id, network, hour) do update set guesses = known.guesses + 1
    returning guesses
  `.execute(db)
  return rows[0]?.guesses ?? 0
}

export async function deleteOldGuesses(db: Db): Promise<void> {
  await sql`delete from coupon_guesses where hour < now() - interval '2 hours'`.execute(db)
}

function columnsOf(form: FilledCouponForm) {
  return {
    name: form.name,
    maximumUses: form.maximumUsages,
    percentageDecrease: form.percentageDecrease,
    isEnabled: form.isEnabled,
    enabledProductIds: [...new Set(form.enabledProductIds ?? [])],
  }
}
