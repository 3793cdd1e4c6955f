import { setTimeout as sleep } from 'node:timers/promises'
import { mailFaults } from './tools/check-mails.ts'
import { type Smtp, startSmtp } from './tools/smtp.ts'
import type { Fault } from './tools/under-load.ts'

const awayMs = 10_000
let smtp: Smtp
let waiting = 0
const failedTry = /"job":"send-mail".*"msg":"a job will be tried again"/g

/** The mail server is gone, silent or failing: orders go on, and each mail comes later, at least once. */
export const smtpAway: Fault = {
  name: 'smtp-away',
  title: 'SMTP gone, silent or failing, 10 s each',
  times: { whole: 3 },
  world: async () => {
    smtp = await startSmtp()
    return { env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=off`, LOG_LEVEL: 'warn' } }
  },
  promises: { recoveryMs: 2_000, waitMs: 5_000 },
  felt: ({ servers }) => servers.flatMap((server) => server.printed().match(failedTry) ?? []).length,
  async strike(_world, time) {
    if (time === 0) await smtp.leave()
    else smtp.mode = time === 1 ? 'silent' : 'failing'
    await sleep(awayMs)
    // Whoever waits for a silent one is told, or it would go on being silent to them.
    await smtp.leave()
    smtp.mode = 'well'
    await smtp.comeBack()
    return performance.now()
  },
  async check(client) {
    const { rows } = await client.query("select from jobs where queue = 'send-mail' and failed_at is null")
    waiting = rows.length
    return mailFaults(client, smtp)
  },
  note: () => [
    `${smtp.taken.length} mails taken, ${smtp.taken.length - new Set(smtp.taken).size} of them again, ${waiting} tried again later`,
  ],
}
