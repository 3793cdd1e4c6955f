import type { Generated, Selectable } from 'kysely'

export interface FaqTables {
  faqEntries: FaqEntriesTable
}

export type FaqEntryRow = Selectable<FaqEntriesTable>

interface FaqEntriesTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  question: string
  answer: string
  position: Generated<number>
}
