import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, PageQuery, page } from '../envelope.ts'
import { ProductGroup } from '../shapes/product-group.ts'
import { Text } from '../values.ts'

export const ProductGroupForm = Type.Object(
  {
    name: Text(
      { minLength: 1, maxLength: 64 },
      'The name shown instead of the names of its products, 1 to 64 characters.',
    ),
  },
  {
    title: 'ProductGroupForm',
    description: 'What a seller says of a product group.',
  },
)
export type ProductGroupForm = Type.Static<typeof ProductGroupForm>

export const listProductGroups = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/product-groups/{page}',
  access: 'ViewProducts',
  summary: "List a store's product groups by page",
  query: PageQuery,
  reply: page(ProductGroup),
})

export const createProductGroup = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/product-groups',
  access: 'CreateProducts',
  summary: 'Create a product group',
  body: ProductGroupForm,
  isIdempotent: true,
  reply: envelope(ProductGroup),
})

export const updateProductGroup = endpoint({
  method: 'PATCH',
  path: '/stores/{storeId}/product-groups/{groupId}',
  access: 'UpdateProducts',
  summary: 'Change a product group',
  description: 'Changes its properties only, never which products it holds.',
  body: ProductGroupForm,
  reply: envelope(ProductGroup),
})

export const viewProductGroup = endpoint({
  method: 'GET',
  path: '/product-groups/{groupId}/view',
  access: 'public',
  summary: 'See a product group',
  description: 'Private products and products on hold are left out.',
  reply: envelope(ProductGroup),
})

export const addProductToGroup = endpoint({
  method: 'PATCH',
  path: '/stores/{storeId}/product-groups/{groupId}/{productId}',
  access: 'UpdateProducts',
  summary: 'Add a product to a group',
  reply: envelope(ProductGroup),
})

export const removeProductFromGroup = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/product-groups/{groupId}/{productId}',
  access: 'UpdateProducts',
  summary: 'Remove a product from a group',
  description: 'Nothing happens when the product is not in the group.',
  reply: envelope(ProductGroup),
})

export const deleteProductGroup = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/product-groups/{groupId}',
  access: 'DeleteProducts',
  beside: true,
  summary: 'Delete a product group',
  description: 'Its products stay in the store.',
  reply: envelope(Nothing),
})
