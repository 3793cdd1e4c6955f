import { setTimeout as sleep } from 'node:timers/promises'
import { type Smtp, startSmtp } from './tools/smtp.ts'
import type { Fault } from './tools/under-load.ts'

const awayMs = 10_000
let smtp: Smtp
let waiting = 0

/** The mail server is gone, silent or failing: orders go on, and each mail comes later, at least once. */
export const smtpAway: Fault = {
  name: 'smtp-away',
  title: 'SMTP gone, silent or failing, 10 s each',
  times: { whole: 3 },
  world: async () => {
    smtp = await startSmtp()
    return { env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=off` } }
  },
  promises: { recoveryMs: 2_000, waitMs: 5_000 },
  async strike(_world, time) {
    if (time === 0) await smtp.leave()
    else smtp.mode = time === 1 ? 'silent' : 'failing'
    await sleep(awayMs)
    if (time === 0) await smtp.comeBack()
    smtp.mode = 'well'
    return performance.now()
  },
  async check(client) {
    const { rows } = await client.query<{ id: string; isSent: boolean; isTried: boolean }>(`
      select id, sent_at is not null as "isSent", exists (
        select from jobs where queue = 'send-mail' and data ->> 'mailId' = mails.id::text and failed_at is null
      ) as "isTried" from mails
    `)
    waiting = rows.filter(({ isTried }) => isTried).length
    return {
      'lost mails (noted as sent, never taken)': rows.filter(({ id, isSent }) => isSent && !smtp.taken.includes(id))
        .length,
      'lost mails (nobody tries any more)': rows.filter(({ isSent, isTried }) => !isSent && !isTried).length,
    }
  },
  note: () => [
    `${smtp.taken.length} mails taken, ${smtp.taken.length - new Set(smtp.taken).size} of them again, ${waiting} tried again later`,
  ],
}
