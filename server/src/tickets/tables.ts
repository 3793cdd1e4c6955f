import type { Generated, Selectable } from 'kysely'

export interface TicketTables {
  tickets: TicketsTable
  ticketEntries: TicketEntriesTable
  ticketOpenings: TicketOpeningsTable
  ticketDays: TicketDaysTable
  cannedReplies: CannedRepliesTable
  ticketRequests: TicketRequestsTable
  ticketAttachments: TicketAttachmentsTable
}

export type TicketRow = Selectable<TicketsTable>
export type TicketRequestRow = Selectable<TicketRequestsTable>
export type TicketAttachmentRow = Selectable<TicketAttachmentsTable>
export type TicketEntryRow = Omit<Selectable<TicketEntriesTable>, 'words'>

interface TicketsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  /** Null when it came from the store's contact page; then it has a key of its own. */
  orderId: string | null
  key: string | null
  previousTicketId: string | null
  /** Of whoever asked on the contact page; null when the order says it. */
  language: string | null
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

interface TicketRequestsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  emailAddress: string
  subject: string
  message: string
  language: string
  network: string
  keyHash: Buffer
  ticketId: string | null
}

interface TicketAttachmentsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  ticketId: string | null
  entryId: string | null
  userId: string | null
  orderId: string | null
  friendlyName: string
  mediaType: string
  bytes: number
  sha256: Buffer
  storageKey: string
}
