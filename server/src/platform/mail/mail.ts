import { Type } from 'typebox'
import { insertAtEnd } from '#platform/db/at-end'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { enqueue, job } from '#platform/jobs/job'
import { invalid } from '#problem'
import { isMailAddress, isOneLine } from './address.ts'
import type { Mail } from './mailer.ts'
import { findMail, mailRows } from './queries.ts'

const subjectCharactersMax = 250

export const sendMailJob = job('send-mail', Type.Object({ mailId: Type.String() }), {
  retrySeconds: [10, 60, 300, 1800, 3600, 7200, 14_400, 28_800, 43_200],
  leaseSeconds: 60,
})

/** Sent after the commit; without a mail server it is kept and shown on the developer's page. */
export async function mailLater(tx: Tx, mail: Mail, id = newId()): Promise<void> {
  if (!isMailAddress(mail.to)) throw invalid({ emailAddress: 'must be an e-mail address' })
  if (mail.replyTo !== undefined && !isMailAddress(mail.replyTo))
    throw invalid({ replyTo: 'must be an e-mail address' })
  if (!isOneLine(mail.subject)) throw invalid({ subject: 'must not contain line breaks' })
  const subject = Array.from(mail.subject).slice(0, subjectCharactersMax).join('')
  const { to, text, html, replyTo = null, unsubscribeUrl = null } = mail
  await insertAtEnd(tx, mailRows, { id, toAddress: to, subject, text, html, replyTo, unsubscribeUrl })
  await enqueue(tx, sendMailJob, { mailId: id })
}

/** For who is asked a second time to write the same mail. */
export async function isMailWritten(db: Db, id: string): Promise<boolean> {
  return (await findMail(db, id)) !== undefined
}
