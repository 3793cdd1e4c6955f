import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'

export interface Liked {
  storeId: string
  productId: string
}

/** False when the visitor likes it already. */
export async function insertLike(tx: Tx, { storeId, productId }: Liked, visitor: Buffer): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('productLikes')
    .values({ storeId, productId, visitor })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** False when the visitor did not like it. */
export async function deleteLike(tx: Tx, { storeId, productId }: Liked, visitor: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('productLikes')
    .where('storeId', '=', storeId)
    .where('productId', '=', productId)
    .where('visitor', '=', visitor)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function selectIsLiked(db: Db, { storeId, productId }: Liked, visitor: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('productLikes')
    .where('storeId', '=', storeId)
    .where('productId', '=', productId)
    .where('visitor', '=', visitor)
    .select('productId')
    .executeTakeFirst()
  return row !== undefined
}

/** False when so many likes of the product came from the network on this day. */
export async function takeLikeOfNetwork(
  tx: Tx,
  { storeId, productId }: Liked,
  { day, network, likesMax }: { day: string; network: Buffer; likesMax: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into product_like_networks as held (store_id, product_id, day, network, likes)
    values (${storeId}, ${productId}, ${day}::date, ${network}, 1)
    on conflict (store_id, product_id, day, network) do update set likes = held.likes + 1
    where held.likes < ${likesMax}
    returning true
  `.execute(tx)
  return rows.length > 0
}

export async function addLikes(tx: Tx, { storeId, productId }: Liked, likes: number): Promise<void> {
  await tx
    .updateTable('products')
    .set((eb) => ({ likes: eb('likes', '+', likes) }))
    .where('storeId', '=', storeId)
    .where('id', '=', productId)
    .execute()
}

/** Of all stores. */
export async function deleteLikeNetworksBefore(db: Db, day: string): Promise<void> {
  await sql`delete from product_like_networks where day < ${day}::date`.execute(db)
}
