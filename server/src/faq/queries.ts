import { sql } from 'kysely'
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
    .values((eb) => ({
      storeId: store.id,
      id: newId(),
      ...entry,
      position: eb
        .selectFrom('faqEntries')
        .where('storeId', '=', store.id)
        .select((last) => sql<number>`coalesce(${last.fn.max('position')}, -1) + 1`.as('next')),
    }))
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

/** Undefined when it was removed meanwhile. */
export function updateFaqEntry(
  tx: Tx,
  { storeId, id }: FaqEntryRow,
  entry: { question: string; answer: string },
): Promise<FaqEntryRow | undefined> {
  return tx
    .updateTable('faqEntries')
    .set(entry)
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** The listed ones first, in that order; the others keep their order behind them. */
export async function arrangeFaqEntries(tx: Tx, store: StoreRow, ids: readonly string[]): Promise<void> {
  await sql`
    update faq_entries set position = placed.place
    from (
      select id, row_number() over (order by array_position(${ids}::uuid[], id), position, id) as place
      from faq_entries where store_id = ${store.id}
    ) placed
    where faq_entries.store_id = ${store.id} and faq_entries.id = placed.id
  `.execute(tx)
}
