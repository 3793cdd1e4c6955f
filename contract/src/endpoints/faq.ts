import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { FaqEntry } from '../shapes/faq.ts'
import { list, markdownLengthMax, Text, Uuid } from '../values.ts'

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
  reply: envelope(list(FaqEntry, 'The entries, in the order shown.')),
})

export const updateFaqEntry = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/faq/{faqId}',
  access: 'UpdateStores',
  beside: true,
  summary: 'Change an entry of the FAQ',
  body: FaqForm,
  reply: envelope(FaqEntry),
})

export const FaqOrderForm = Type.Object(
  {
    ids: Type.Array(Uuid('An entry.'), {
      maxItems: 200,
      uniqueItems: true,
      description: 'The entries in their new order; those that are left out come after them.',
    }),
  },
  { title: 'FaqOrderForm', description: 'In which order the FAQ is shown.' },
)

export const arrangeFaq = endpoint({
  method: 'PATCH',
  path: '/stores/{storeId}/faq',
  access: 'UpdateStores',
  beside: true,
  summary: 'Arrange the FAQ',
  body: FaqOrderForm,
  reply: envelope(Nothing),
})
