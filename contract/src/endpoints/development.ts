import { endpoint } from '../endpoint.ts'
import { envelope } from '../envelope.ts'
import { Mail } from '../shapes/mail.ts'
import { list } from '../values.ts'

export const listMails = endpoint({
  method: 'GET',
  path: '/development/mails',
  access: 'guest',
  beside: true,
  summary: 'List the mails that were kept instead of sent',
  description: 'For developers: 404 unless it is switched on.',
  reply: envelope(list(Mail, 'The newest mails, newest first.')),
})
