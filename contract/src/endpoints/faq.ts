import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { FaqEntry } from '../shapes/faq.ts'
import { list, markdownLengthMax, Text } from '../values.ts'

export const FaqForm = Type.Object(
  {
    title: Text({ minLength: 1, maxLength: 256 }, 'The question, 1 to 256 characters.'),
    description: Text({ minLength: 1, maxLength: markdownLengthMax }, 'The answer, in markdown.'),
  },
  { title: 'FaqForm', description: 'A question and its answer.' },
)
export type FaqForm = Type.Static<typeof FaqForm>

export const addFaqEntry = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/faq',
  access: 'UpdateStores',
  summary: 'Add an entry to the FAQ',
  description: 'The title becomes `key`, the description `value`.',
  body: FaqForm,
  reply: envelope(FaqEntry),
})

export const removeFaqEntry = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/faq/{faqId}',
  access: 'UpdateStores',
  summary: 'Remove an entry from the FAQ',
  reply: envelope(Nothing),
})

export const listFaqEntries = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/faq',
  access: 'ViewStores',
  beside: true,
  summary: 'List the FAQ',
  reply: envelope(list(FaqEntry, 'The entries, oldest first.')),
})
