import { Type } from 'typebox'
import { list, nullable, shape } from '../values.ts'
import { card, productTerms } from './product.ts'
import { Review } from './review.ts'
import { PublicStore } from './store.ts'

const reference = { ...card, store: PublicStore }

export const ProductReference = shape('ProductReference', 'A product as anybody may see it, with its store.', reference)
export type ProductReference = Type.Static<typeof ProductReference>

export const PublicProduct = shape('PublicProduct', "Everything that a product's page shows.", {
  ...reference,
  ...productTerms,
  imageLinks: list(Type.String({ description: 'An address.' }), 'The addresses of the images, in the order shown.'),
  reviews: list(Review, 'The newest reviews of the product.'),
  category: nullable(Type.String({ description: 'The category; null when unset.' })),
})
export type PublicProduct = Type.Static<typeof PublicProduct>
