import { Type } from 'typebox'
import type { Db } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { every, job, type Performer, perform, type Schedule } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import { sendMailJob } from './mail.ts'
import { createSmtpMailer, type Mailer, Undeliverable } from './mailer.ts'
import { deleteOldMails, findMail, markMailFailed, markMailSent } from './queries.ts'

const keptDays = 30

const pruneMailsJob = job('prune-mails', Type.Object({}))

export const mailPerformers: Performer[] = [
  perform(sendMailJob, async (db, { mailId }, { platform, isLast }) => {
    const mailer = mailerOf(platform)
    if (mailer) await sendMail(db, mailer, { mailId, isLast })
  }),
  perform(pruneMailsJob, (db) => transact(db, (tx) => deleteOldMails(tx, keptDays))),
]

export const mailSchedules: Schedule[] = [every(24 * 60 * 60, pruneMailsJob, {})]

function mailerOf({ config: { smtpUrl, mailFrom } }: Platform): Mailer | undefined {
  return smtpUrl && createSmtpMailer({ smtpUrl, from: mailFrom })
}

async function sendMail(
  db: Db,
  mailer: Mailer,
  { mailId, isLast }: { mailId: string; isLast: boolean },
): Promise<void> {
  const mail = await findMail(db, mailId)
  if (!mail || mail.sentAt || mail.failedAt) return
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
