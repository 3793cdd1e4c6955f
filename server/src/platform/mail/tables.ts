import type { Generated, Selectable } from 'kysely'

export interface MailTables {
  mails: MailsTable
}

export interface MailsTable {
  id: string
  dateCreated: Generated<Date>
  toAddress: string
  subject: string
  text: string
  html: string
  replyTo: string | null
  unsubscribeUrl: string | null
  sentAt: Date | null
  failedAt: Date | null
  lastError: string | null
}

export type MailRow = Selectable<MailsTable>
