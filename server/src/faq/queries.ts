import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import type { FaqEntryRow } from './tables.ts'

export function selectFaqEntry(db: Db, store: StoreRow, id: string): Promise<FaqEntryRow | undefined> {
  return db.selectFrom('faqEntries').selectAll().where('storeId', '=', store.id).where('id', '=', id).executeTakeFirst()
}

export function insertFaqEntry(tx: Tx, store: StoreRow, entry: { question: string; answer: string }) {
  return tx
    .insertInto('faqEntries')
    .values({ storeId: store.id, id: newId(), ...entry })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function countFaqEntries(tx: Tx, store: StoreRow): Promise<number> {
  const { total } = await tx
    .selectFrom('faqEntries')
    .where('storeId', '=', store.id)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export async function deleteFaqEntry(tx: Tx, { storeId, id }: FaqEntryRow): Promise<void> {
  await tx.deleteFrom('faqEntries').where('storeId', '=', storeId).where('id', '=', id).execute()
}
