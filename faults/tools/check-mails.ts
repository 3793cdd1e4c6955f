import type { Client } from 'pg'
import type { Smtp } from './smtp.ts'
import type { Wrong } from './wrong.ts'

/** What the mail server has taken, against what is noted as sent. */
export async function mailFaults(client: Client, smtp: Smtp): Promise<Wrong> {
  const { rows } = await client.query<{ id: string; isSent: boolean; isTried: boolean }>(`
    select id, sent_at is not null as "isSent", exists (
      select from jobs where queue = 'send-mail' and data ->> 'mailId' = mails.id::text and failed_at is null
    ) as "isTried" from mails
  `)
  return {
    'lost mails (noted as sent, never taken)': rows.filter(({ id, isSent }) => isSent && !smtp.taken.includes(id))
      .length,
    'lost mails (nobody tries any more)': rows.filter(({ isSent, isTried }) => !isSent && !isTried).length,
  }
}
