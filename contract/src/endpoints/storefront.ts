import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope } from '../envelope.ts'
import { Markdown, Money, nullable, optional, shape, Text, Uuid } from '../values.ts'
import { StoreForm } from './stores.ts'

const words = (description: string, maxItems: number) =>
  optional(Type.Array(Text({ maxLength: 64 }, 'A word.'), { maxItems, description }), [])
const flag = (description: string) => optional(Type.Boolean({ description }), false)

/** Less strict than the product's form: it is shown while somebody still types. */
const ProductDraft = Type.Object(
  {
    id: optional(nullable(Uuid('The product, when it is there already: its stock and reviews are shown.')), null),
    name: Text({ maxLength: 64 }, 'The name.'),
    cost: Money('The price of one.'),
    description: optional(nullable(Markdown('What buyers read about the product.')), null),
    tags: words('The tags.', 50),
    customValueKeys: words('The fields that a buyer must fill in.', 20),
    imageNames: words('The pictures, in order.', 20),
    blacklistedPaymentGateways: words('The payment methods that cannot be used.', 100),
    minimumQuantity: optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'The fewest an order.' }), 1),
    maximumQuantity: optional(Type.Integer({ minimum: -1, maximum: 100_000, description: 'The most an order.' }), -1),
    isDynamic: flag('Whether a webhook decides what is delivered.'),
    ignoreOutOfStock: flag('Whether it can be bought when out of stock.'),
    isBestSeller: flag('Whether it is marked as a best seller.'),
  },
  { title: 'ProductDraft', description: 'A product as it would be.' },
)
export type ProductDraft = Type.Static<typeof ProductDraft>

export const PreviewForm = Type.Object(
  {
    store: optional(nullable(StoreForm, 'The store as it would be; null as it is.'), null),
    product: optional(nullable(ProductDraft, 'Whose page to show; null for the home page.'), null),
  },
  { title: 'PreviewForm', description: 'What to show before it is saved.' },
)
export type PreviewForm = Type.Static<typeof PreviewForm>

export const previewPage = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/storefront/preview',
  access: 'ViewStores',
  beside: true,
  isUnrecorded: true,
  summary: 'See a page of the store as it would be',
  description: 'Made by the code that makes the page itself. Nothing is saved.',
  body: PreviewForm,
  reply: envelope(shape('Preview', 'A page of the store.', { html: Type.String({ description: 'The whole page.' }) })),
})
