import type { Generated, Selectable } from 'kysely'

export interface EventTables {
  events: EventsTable
  eventNumbers: EventNumbersTable
}

export type EventRow = Selectable<EventsTable>

interface EventsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  type: string
  subjectId: string | null
  productIds: Generated<string[]>
  body: string
  number: number | null
}

interface EventNumbersTable {
  storeId: string
  lastNumber: Generated<number>
}
