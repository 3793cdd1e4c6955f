import type { Db } from '#platform/db/database'
import type { FaqEntryRow } from '#faq/tables'
import type { StoreRow } from '#stores/tables'

/** As the seller arranged them, else in the order in which they were written. */
export async function selectFaq(db: Db, store: Pick<StoreRow, 'id'>) {
  const rows = await db
    .selectFrom('faqEntries')
    .selectAll()
    .where('storeId', '=', store.id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(toFaqEntry)
}

export function toFaqEntry({ id, dateCreated, question, answer }: FaqEntryRow) {
  return { id, dateCreated, key: question, value: answer }
}
