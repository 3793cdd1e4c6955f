import type { Db } from '#platform/db/database'

export async function selectDisabledMethods(db: Db, { userId }: { userId: string }): Promise<Record<string, string>> {
  const user = await db.selectFrom('users').where('id', '=', userId).select('disabledPaymentMethods').executeTakeFirst()
  return user?.disabledPaymentMethods ?? {}
}
