import type { Db } from '#platform/db/database'

/** The owner's switches: methods that are off in all of the seller's stores. */
export async function selectDisabledMethods(db: Db, owner: { ownerId: string }): Promise<Record<string, string>> {
  const user = await db
    .selectFrom('users')
    .select('disabledPaymentMethods')
    .where('id', '=', owner.ownerId)
    .executeTakeFirst()
  return user?.disabledPaymentMethods ?? {}
}
