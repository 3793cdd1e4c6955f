import type { SendMailOptions } from 'nodemailer'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly replyTo?: string
  /** Where a mail that nobody has to read can be stopped; mail programs offer it as a button. */
  readonly unsubscribeUrl?: string
}

export interface OutgoingMail {
  readonly id: string
  readonly toAddress: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly replyTo: string | null
  readonly unsubscribeUrl: string | null
}

export interface Mailer {
  /** Throws `Undeliverable` when trying again is useless, anything else when it may help. */
  send(mail: OutgoingMail): Promise<void>
}

/** The mail server refused this mail for good. */
export class Undeliverable extends Error {}

const connectMs = 8000
const silenceMs = 15_000

/** Signs in, and sends nothing. Throws when that does not work. */
export async function checkSmtp(smtpUrl: URL): Promise<void> {
  const transport = await openTransport(smtpUrl)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** `smtp://user:password@host:587` or `smtps://…`. Nothing is loaded before the first mail. */
export function createSmtpMailer({ smtpUrl, from }: { smtpUrl: URL; from: string }): Mailer {
  const domain = /@([^>\s]+)>?$/.exec(from)?.[1] ?? 'localhost'
  return {
    async send(mail) {
      const message: SendMailOptions = {
        from,
        // As an object the address is never read as a list.
        to: { name: '', address: mail.toAddress },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // The same over all tries, so that a mail program can drop a second copy.
        messageId: `<${mail.id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(mail) },
        ...(mail.replyTo === null ? {} : { replyTo: { name: '', address: mail.replyTo } }),
      }
      const smtp = await openTransport(smtpUrl)
      try {
        await smtp.sendMail(message)
      } catch (error) {
        throw isRefused(error) ? new Undeliverable(error.message, { cause: error }) : error
      } finally {
        smtp.close()
      }
    },
  }
}

/** RFC 8058: one press in the mail program is enough. */
function unsubscribeHeaders({ unsubscribeUrl }: OutgoingMail): Record<string, string> {
  if (unsubscribeUrl === null) return {}
  return { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** A refusal of this recipient or message; a wrong password is the operator's to mend, and is tried again. */
function isRefused(error: unknown): error is Error {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return false
  const isPermanent = typeof error.responseCode === 'number' && error.responseCode >= 500
  return isPermanent && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE')
}

async function openTransport(smtpUrl: URL) {
  const isSecure = smtpUrl.protocol === 'smtps:'
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host: smtpUrl.hostname.replace(/^\[|\]$/g, ''),
    port: Number(smtpUrl.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    requireTLS: smtpUrl.searchParams.get('tls') === 'required',
    ignoreTLS: smtpUrl.searchParams.get('tls') === 'off',
    ...(smtpUrl.username
      ? { auth: { user: decodeURIComponent(smtpUrl.username), pass: decodeURIComponent(smtpUrl.password) } }
      : {}),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
