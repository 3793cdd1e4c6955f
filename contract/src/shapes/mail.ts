import { Type } from 'typebox'
import { shape, Timestamp, Uuid } from '../values.ts'

export const Mail = shape('Mail', 'A mail that was kept instead of sent.', {
  id: Uuid('Identifies the mail.'),
  dateCreated: Timestamp('When the mail was written.'),
  to: Type.String({ description: 'The e-mail address it is for.' }),
  subject: Type.String({ description: 'The subject.' }),
  text: Type.String({ description: 'The mail as plain text.' }),
  html: Type.String({ description: 'The mail as HTML.' }),
})
export type Mail = Type.Static<typeof Mail>
