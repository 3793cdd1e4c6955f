import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, PageQuery, page } from '../envelope.ts'
import { list, nullable, optional, shape } from '../values.ts'

const itemsBytesMax = 10 * 1024 * 1024

export const ItemsForm = Type.Object(
  {
    items: optional(
      nullable(
        Type.Array(Type.String({ minLength: 1, maxLength: 65_536, description: 'An item, 1 to 65,536 characters.' }), {
          maxItems: 250_000,
          description: 'The items.',
        }),
      ),
      null,
    ),
  },
  { title: 'ItemsForm', description: 'Deliverable items.' },
)
export type ItemsForm = Type.Static<typeof ItemsForm>

export const listItems = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/products/{productId}/items/{page}',
  access: 'ViewProducts',
  summary: "List a product's deliverable items by page",
  description: 'Items that can still be delivered, in the order in which they were appended.',
  query: PageQuery,
  reply: page(Type.String({ description: 'An item.' })),
})

export const appendItems = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/products/{productId}/items',
  access: 'UpdateProducts',
  summary: 'Append items to a product',
  description:
    'Appended after the existing items, up to 10 MiB a call. Paid orders that wait for items get them first.',
  body: ItemsForm,
  bodyBytesMax: itemsBytesMax,
  reply: envelope(Nothing),
})

export const removeItems = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/products/{productId}/items',
  access: 'UpdateProducts',
  summary: 'Remove items from a product',
  description: 'Removes the listed items that are not delivered; without a list nothing is removed.',
  body: ItemsForm,
  bodyBytesMax: itemsBytesMax,
  reply: envelope(Nothing),
})

export const clearItems = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/products/{productId}/items/clear',
  access: 'UpdateProducts',
  summary: 'Remove all items from a product',
  description: 'Delivered items stay with their orders. The last clearing can be undone for 30 days.',
  reply: envelope(Nothing),
})

export const restoreItems = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/products/{productId}/items/restore',
  access: 'UpdateProducts',
  beside: true,
  summary: 'Undo the last clearing of items',
  description: 'Within 30 days of it.',
  reply: envelope(Nothing),
})

const place = Type.Integer({ description: 'A place in the list that was sent, counted from 0.' })

export const findKnownItems = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/products/{productId}/items/known',
  access: 'ViewProducts',
  beside: true,
  isUnrecorded: true,
  summary: 'Find which of these items the product has or had',
  description: 'To be asked before they are appended; nothing is changed.',
  body: ItemsForm,
  bodyBytesMax: itemsBytesMax,
  reply: envelope(
    shape('KnownItems', 'Which of the listed items are known.', {
      onSale: list(place, 'Those that the product has on sale.'),
      sold: list(place, 'Those that orders have.'),
    }),
  ),
})
