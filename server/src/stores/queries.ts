import type { OrderingForm } from '@keystall/contract/endpoints/stores'
import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { isUniqueViolation } from '#platform/db/transaction'
import type { Tables } from '#platform/db/tables'
import type { StoreRow } from './tables.ts'

/** The columns that a store's form decides. */
export type StoreColumns = Pick<
  StoreRow,
  | 'name'
  | 'url'
  | 'title'
  | 'leadingText'
  | 'description'
  | 'announcement'
  | 'sellerMessage'
  | 'termsOfService'
  | 'privacyPolicy'
  | 'copyright'
  | 'themeName'
  | 'themeProperties'
  | 'accentColor'
  | 'backgroundColor'
  | 'cardBackgroundColor'
  | 'navigationColor'
  | 'buttonColor'
  | 'hideViewCount'
  | 'hideStatistics'
  | 'areItemsMailed'
  | 'reviewRequestDays'
  | 'affiliatePercentage'
  | 'isForcingDarkMode'
  | 'preferredCurrency'
  | 'socialMediaAccounts'
  | 'featuredProductId'
>

/** Undefined when another store has the label. */
export function insertStore(tx: Tx, store: Insertable<Tables['stores']>): Promise<StoreRow | undefined> {
  return tx
    .insertInto('stores')
    .values(store)
    .onConflict((conflict) => conflict.expression(sql`lower(url)`).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function lockStore(tx: Tx, { id }: { id: string }): Promise<StoreRow> {
  return tx.selectFrom('stores').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}

/** Undefined when another store has the label; the transaction is then lost. */
export async function updateTestMethod(tx: Tx, { id }: StoreRow, isTestMethodOn: boolean): Promise<void> {
  await tx.updateTable('stores').set({ isTestMethodOn }).where('id', '=', id).execute()
}

export function updateStore(tx: Tx, { id }: StoreRow, columns: StoreColumns): Promise<StoreRow | undefined> {
  return tx
    .updateTable('stores')
    .set((eb) => ({ ...columns, revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
    .catch((error: unknown) => {
      if (isUniqueViolation(error, 'stores_url')) return undefined
      throw error
    })
}

export function updateVerified(tx: Tx, id: string, isVerified: boolean) {
  return tx
    .updateTable('stores')
    .set((eb) => ({ isVerified, revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export function replaceWebhookSecret(tx: Tx, { id }: StoreRow, sealed: Buffer, formerIsGoodForHours: number) {
  return tx
    .updateTable('stores')
    .set({
      webhookSecret: sealed,
      previousWebhookSecret: sql<Buffer>`webhook_secret`,
      previousWebhookSecretUntil: sql<Date>`now() + make_interval(hours => ${formerIsGoodForHours}::integer)`,
    })
    .where('id', '=', id)
    .execute()
}

export async function hasProduct(db: Db, store: { id: string }, productId: string): Promise<boolean> {
  const product = await db
    .selectFrom('products')
    .where('storeId', '=', store.id)
    .where('id', '=', productId)
    .where('deletedAt', 'is', null)
    .select('id')
    .executeTakeFirst()
  return product !== undefined
}

/** Whether some price would need decimals that the currency has not. */
export async function hasCostBetween(tx: Tx, store: StoreRow, factor: number): Promise<boolean> {
  const product = await tx
    .selectFrom('products')
    .where('storeId', '=', store.id)
    .where('deletedAt', 'is', null)
    .where(sql<number>`mod(cost_minor, ${factor}::bigint)`, '<>', 0)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return product !== undefined
}

/** Deleted products too: they can be brought back. What has decimals too many is rounded up, so that nothing is free. */
export async function rescaleCosts(tx: Tx, store: StoreRow, digits: number): Promise<void> {
  await tx
    .updateTable('products')
    .set({ costMinor: sql<number>`ceil(cost_minor * power(10::numeric, ${digits}::integer))` })
    .where('storeId', '=', store.id)
    .execute()
}

/** In one sequence, whoever asks, so that of two who arrange a store at once the second waits for the first. */
export async function lockProductsAndGroups(tx: Tx, store: StoreRow, places: OrderingForm): Promise<void> {
  const ids = places.map(({ id }) => id)
  for (const table of ['products', 'productGroups'] as const) {
    await tx
      .selectFrom(table)
      .select('id')
      .where('storeId', '=', store.id)
      .where('id', '=', sql<string>`any(${ids})`)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
  }
}

/** How many of the things named were found, and so moved. */
export async function moveProductsAndGroups(tx: Tx, store: StoreRow, places: OrderingForm): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with places as (
      select id, is_group, place
      from unnest(
        ${places.map(({ id }) => id)}::uuid[],
        ${places.map(({ isGroup }) => isGroup)}::boolean[],
        ${places.map(({ order }) => order)}::integer[]
      ) as given (id, is_group, place)
    ), products_moved as (
      update products set position = places.place from places
      where products.store_id = ${store.id} and products.id = places.id and not places.is_group
        and products.deleted_at is null
      returning 1
    ), groups_moved as (
      update product_groups set position = places.place from places
      where product_groups.store_id = ${store.id} and product_groups.id = places.id and places.is_group
      returning 1
    )
    select (select count(*) from products_moved) + (select count(*) from groups_moved) as moved
  `.execute(tx)
  return rows[0]?.moved ?? 0
}

export function replaceLogoName(tx: Tx, { id }: StoreRow, logoName: string | null): Promise<StoreRow> {
  return tx
    .updateTable('stores')
    .set((eb) => ({ logoName, revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** False when the visitor was counted today already. */
export async function insertVisitor(
  tx: Tx,
  visitor: { storeId: string; day: string; visitor: Buffer },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('storeVisitors')
    .values(visitor)
    .onConflict((conflict) => conflict.doNothing())
    .returning('day')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function addVisit(tx: Tx, visit: { storeId: string; day: string; id: string }): Promise<void> {
  await tx
    .insertInto('storeVisits')
    .values({ ...visit, visits: 1 })
    .onConflict((conflict) =>
      conflict.columns(['storeId', 'day']).doUpdateSet((eb) => ({ visits: eb('storeVisits.visits', '+', 1) })),
    )
    .execute()
}

export async function deleteVisitorsBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom('storeVisitors').where('day', '<', day).execute()
}
