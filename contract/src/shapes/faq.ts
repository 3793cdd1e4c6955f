import { Type } from 'typebox'
import { shape, Timestamp, Uuid } from '../values.ts'

export const FaqEntry = shape('FaqEntry', 'A question that a store answers.', {
  id: Uuid('Identifies the entry.'),
  dateCreated: Timestamp('When the entry was created.'),
  key: Type.String({ description: 'The question.' }),
  value: Type.String({ description: 'The answer, in markdown.' }),
})
export type FaqEntry = Type.Static<typeof FaqEntry>
