import type { Generated, Selectable } from 'kysely'

export interface TicketTables {
  tickets: TicketsTable
  ticketEntries: TicketEntriesTable
  ticketOpenings: TicketOpeningsTable
  ticketDays: TicketDaysTable
  cannedReplies: CannedRepliesTable
}

export type TicketRow = Selectable<TicketsTable>
export type TicketEntryRow = Omit<Selectable<TicketEntriesTable>, 'words'>

interface TicketsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  orderId: string
  customerId: string
  subject: string
  status: Generated<0 | 1 | 2 | 3 | 4>
  isAnswered: Generated<boolean>
  entryCount: Generated<number>
  closedAt: Date | null
}

interface TicketEntriesTable {
  storeId: string
  ticketId: string
  id: string
  dateCreated: Generated<Date>
  message: string
  userId: string | null
  isSellers: boolean
  words: string
}

interface TicketOpeningsTable {
  storeId: string
  customerId: string
  openedAt: Date[]
}

interface TicketDaysTable {
  storeId: string
  day: string
  opened: Generated<number>
}

interface CannedRepliesTable {
  storeId: string
  replies: { title: string; message: string }[]
}
