import { sql } from 'kysely'
import type { Insertion } from '#platform/db/at-end'
import type { Db, Tx } from '#platform/db/database'
import type { MailRow } from './tables.ts'

export interface NewMail {
  readonly id: string
  readonly toAddress: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly replyTo: string | null
  readonly unsubscribeUrl: string | null
}

export const mailRows: Insertion<NewMail> = {
  name: 'mail',
  insert: (mails) => sql`
    insert into mails (id, to_address, subject, text, html, reply_to, unsubscribe_url)
    select id, "toAddress", subject, text, html, "replyTo", "unsubscribeUrl"
    from jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) as new (
      id uuid, "toAddress" text, subject text, text text, html text, "replyTo" text, "unsubscribeUrl" text
    )
  `,
}

export function findMail(db: Db, id: string) {
  return db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Newest first, for the developer's page. */
export function selectMails(db: Db, limit: number) {
  return db.selectFrom('mails').selectAll().orderBy('dateCreated', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** What was said may hold keys and links: once it is sent, only the fact is kept. */
export function markMailSent(tx: Tx, mail: MailRow) {
  return tx
    .updateTable('mails')
    .set({ sentAt: sql<Date>`now()`, lastError: null, text: '', html: '', unsubscribeUrl: null })
    .where('id', '=', mail.id)
    .execute()
}

export function markMailFailed(tx: Tx, mail: MailRow, reason: string) {
  return tx
    .updateTable('mails')
    .set({ failedAt: sql<Date>`now()`, lastError: reason.slice(0, 2000), text: '', html: '', unsubscribeUrl: null })
    .where('id', '=', mail.id)
    .execute()
}

export function deleteOldMails(tx: Tx, keptDays: number) {
  return tx
    .deleteFrom('mails')
    .where('dateCreated', '<', sql<Date>`now() - make_interval(days => ${keptDays})`)
    .execute()
}
