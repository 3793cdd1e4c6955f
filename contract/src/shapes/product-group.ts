import { Type } from 'typebox'
import { list, shape, Timestamp, Uuid } from '../values.ts'
import { ProductReference } from './product-reference.ts'
import { publicStore } from './store.ts'

export const ProductGroup = shape('ProductGroup', 'Products that a store shows under one name.', {
  id: Uuid('Identifies the group.'),
  dateCreated: Timestamp('When the group was created.'),
  name: Type.String({ description: 'The name shown instead of the names of its products.' }),
  products: list(ProductReference, 'The products of the group.'),
  order: Type.Integer({ description: 'The place in the store; lower comes first.' }),
})
export type ProductGroup = Type.Static<typeof ProductGroup>

export const StoreView = shape('StoreView', "Everything that a store's home page shows.", {
  ...publicStore,
  owner: Type.Object(
    {
      id: Type.String({ description: 'Identifies the seller.' }),
      dateCreated: Timestamp('When the seller registered.'),
      username: Type.String({ description: "The seller's user name." }),
      allowMarketplace: Type.Boolean({ description: "Whether the seller's products may be in the marketplace." }),
    },
    { description: 'The seller who owns the store.' },
  ),
  products: list(ProductReference, "The store's public products, in the order shown."),
  groupedProducts: list(ProductGroup, "The store's product groups, in the order shown."),
})
export type StoreView = Type.Static<typeof StoreView>
