import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { enqueue, every, job, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { invalid } from '#problem'
import { isMailAddress, isOneLine } from './address.ts'
import { type Mailer, Undeliverable } from './mailer.ts'
import { deleteOldMails, findMail, insertMail, markMailFailed, markMailSent } from './queries.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly replyTo?: string
}

const subjectCharactersMax = 250
const keptDays = 30

const sendMail = job('send-mail', Type.Object({ mailId: Type.String() }), {
  retrySeconds: [10, 60, 300, 1800, 3600, 7200, 14_400, 28_800, 43_200],
  leaseSeconds: 60,
})

const pruneMails = job('prune-mails', Type.Object({}))

/** Sent after the commit; without a mail server it is kept and shown on the developer's page. */
export async function mailLater(tx: Tx, mail: Mail): Promise<void> {
  if (!isMailAddress(mail.to)) throw invalid({ emailAddress: 'must be an e-mail address' })
  if (mail.replyTo !== undefined && !isMailAddress(mail.replyTo)) throw invalid({ replyTo: 'must be an e-mail address' })
  if (!isOneLine(mail.subject)) throw invalid({ subject: 'must not contain line breaks' })
  const id = newId()
  await insertMail(tx, { ...mail, id, subject: Array.from(mail.subject).slice(0, subjectCharactersMax).join('') })
  await enqueue(tx, sendMail, { mailId: id })
}

export function mailPerformers(mailer: Mailer | undefined): Performer[] {
  return [
    perform(sendMail, (db, { mailId }, { isLast }) => deliverMail(db, mailer, mailId, isLast)),
    perform(pruneMails, (db) => transact(db, (tx) => deleteOldMails(tx, keptDays))),
  ]
}

export const mailSchedules: Schedule[] = [every(24 * 60 * 60, pruneMails, {})]

async function deliverMail(db: Db, mailer: Mailer | undefined, mailId: string, isLast: boolean): Promise<void> {
  const mail = await findMail(db, mailId)
  if (!mailer || !mail || mail.sentAt || mail.failedAt) return
  try {
    await mailer.send(mail)
  } catch (error) {
    if (!isLast && !(error instanceof Undeliverable)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    await transact(db, (tx) => markMailFailed(tx, mail, reason))
    return
  }
  await transact(db, (tx) => markMailSent(tx, mail))
}
