import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, PageQuery, page } from '../envelope.ts'
import { paymentMethodIds } from '../payment-methods.ts'
import { Product } from '../shapes/product.ts'
import { ProductReference, PublicProduct } from '../shapes/product-reference.ts'
import { HttpUrl, list, Markdown, Money, nullable, OneOf, optional, Text, Uuid } from '../values.ts'

const ProductFields = {
  name: Text({ minLength: 3, maxLength: 64 }, 'The name that buyers see, 3 to 64 characters.'),
  cost: Money("The price of one, 0 to 1,000,000, with no more decimals than the store's currency has."),
  visibility: OneOf(
    [0, 1, 2, 3],
    '0 public, 1 unlisted, 2 private. 3, on hold, is for the platform to set: a product on hold takes it back and stays so.',
  ),
  ignoreOutOfStock: optional(
    Type.Boolean({ description: 'Whether the product can be bought when out of stock. Must be true when dynamic.' }),
    false,
  ),
  isDynamic: optional(
    Type.Boolean({ description: 'Whether the answer of the webhook is what is delivered. Needs `webhookUrl`.' }),
    false,
  ),
  tags: optional(
    nullable(
      Type.Array(Text({ minLength: 1, maxLength: 64 }, 'A word.'), {
        maxItems: 50,
        description: 'Words by which the marketplace finds the product, at most 50 of 64 characters.',
      }),
    ),
    null,
  ),
  webhookUrl: optional(
    nullable(HttpUrl('Receives dynamic product requests and delivery notifications. http or https.')),
    null,
  ),
  description: optional(
    nullable(Markdown('What buyers read about the product; images only from approved hosts.')),
    null,
  ),
  deliveryMessage: optional(nullable(Markdown('What the buyer reads when the order is delivered.')), null),
  customValueKeys: optional(
    nullable(
      Type.Array(Text({ minLength: 1, maxLength: 64 }, 'The name of a field.'), {
        maxItems: 20,
        uniqueItems: true,
        description: 'The fields that a buyer must fill in, at most 20 of 64 characters.',
      }),
    ),
    null,
  ),
  minimumQuantity: optional(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'The fewest that one order may hold.' }),
    1,
  ),
  maximumQuantity: optional(
    Type.Integer({
      minimum: -1,
      maximum: 100_000,
      description: 'The most that one order may hold; -1 means no limit.',
    }),
    -1,
  ),
  shouldBlockVirtualPrivateNetworks: optional(
    Type.Boolean({ description: 'Whether buyers behind a VPN or proxy are refused.' }),
    false,
  ),
  blacklistedPaymentGateways: optional(
    nullable(
      Type.Array(OneOf(paymentMethodIds, 'A payment method ID.'), {
        maxItems: 100,
        description: 'The payment methods that cannot be used for this product.',
      }),
    ),
    null,
  ),
  isBestSeller: optional(
    Type.Boolean({ description: 'Whether the store page marks the product as a best seller.' }),
    false,
  ),
  type: optional(OneOf([0, 1], '0 sold once, 1 subscription: then `subscriptionPeriod` is needed.'), 0),
  subscriptionPeriod: optional(
    nullable(
      Type.String({
        pattern: '^P([1-9][0-9]{0,3}D|[1-9][0-9]{0,2}M)$',
        reason: 'must be days or months, such as P30D or P1M',
        description: 'How long a paid period lasts, as an ISO 8601 duration in days or months.',
      }),
    ),
    null,
  ),
  fallbackToItems: optional(
    Type.Boolean({
      description: "Whether a dynamic product delivers its own items when the webhook's last try has failed.",
    }),
    false,
  ),
}

export const ProductForm = Type.Object(ProductFields, {
  title: 'ProductForm',
  description: 'What a seller says of a product.',
})
export type ProductForm = Type.Static<typeof ProductForm>

export const PinForm = Type.Object(
  { isPinned: Type.Boolean({ description: 'Whether the product stands before the others.' }) },
  { title: 'PinForm', description: 'Whether a product is pinned.' },
)
export type PinForm = Type.Static<typeof PinForm>

export const FeeForm = Type.Object(
  {
    paymentMethod: OneOf(paymentMethodIds, 'The payment method ID.'),
    feePercentage: optional(
      nullable(
        Type.Number({ minimum: 0, maximum: 100, description: 'The fee in percent, 0 to 100; null removes the fee.' }),
      ),
      null,
    ),
  },
  { title: 'FeeForm', description: 'The fee of one payment method.' },
)
export type FeeForm = Type.Static<typeof FeeForm>

export const listProductReferences = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/products',
  access: 'ViewProducts',
  summary: "List all of a store's products",
  description: 'Redacted references, without pages.',
  reply: envelope(list(ProductReference, 'All products of the store, in the order shown.')),
})

export const createProduct = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/products',
  access: 'CreateProducts',
  summary: 'Create a product',
  body: ProductForm,
  isIdempotent: true,
  reply: envelope(Product),
})

export const listProducts = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/products/{page}',
  access: 'ViewProducts',
  summary: "List a store's products by page",
  query: PageQuery,
  reply: page(Product),
})

export const getProduct = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/products/{productId}',
  access: 'ViewProducts',
  summary: 'Get a product',
  reply: envelope(Product),
})

export const updateProduct = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/products/{productId}',
  access: 'UpdateProducts',
  summary: 'Change a product',
  description: 'The form replaces: a field that is left out goes back to its default. Answers without a body.',
  body: ProductForm,
  reply: 'nothing',
})

export const setProductFee = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/products/{productId}/fees',
  access: 'UpdateProducts',
  summary: "Set or remove a payment method's fee",
  description: "The fee is a percentage of the product's part of an order, added to what the buyer pays.",
  body: FeeForm,
  reply: envelope(Nothing),
})

export const addProductImage = endpoint({
  method: 'PATCH',
  path: '/stores/{storeId}/products/{productId}/image',
  access: 'UpdateProducts',
  summary: 'Add an image to a product',
  description: 'PNG, JPG, WebP or GIF under 30,000,000 bytes; at most 20 images a product.',
  upload: {
    part: 'image',
    accepts: 'image/png, image/jpeg, image/webp, image/gif',
  },
  reply: envelope(Product),
})

export const replaceProductFile = endpoint({
  method: 'PATCH',
  path: '/stores/{storeId}/products/{productId}/file',
  access: 'UpdateProducts',
  summary: "Set or replace a product's file",
  description: 'A file of any type, 2 GiB unless the platform says otherwise. It becomes the only file.',
  upload: { part: 'file', accepts: '*/*' },
  reply: envelope(Product),
})

export const removeProductImage = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/products/{productId}/image/{fileName}',
  access: 'UpdateProducts',
  summary: 'Remove an image of a product',
  reply: envelope(PublicProduct),
})

export const removeProductFile = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/products/{productId}/file/{fileId}',
  access: 'UpdateProducts',
  summary: "Remove a product's file",
  description: 'Customers who were given the file lose access to it.',
  reply: envelope(Product),
})

export const viewProduct = endpoint({
  method: 'GET',
  path: '/products/{productId}/view',
  access: 'public',
  summary: "See a product's page",
  reply: envelope(PublicProduct),
})

export const deleteProduct = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/products/{productId}',
  access: 'DeleteProducts',
  beside: true,
  summary: 'Delete a product',
  description: 'Orders that hold the product keep it. It can be brought back.',
  reply: envelope(Nothing),
})

// These show a product that the caller need not have seen. The interface's own changes show what they change.
const SeenProduct = nullable(Product, 'The product; null for a key without `ViewProducts`.')

export const RestoreProductForm = Type.Object({ productId: Uuid('A product that was deleted.') })

export const restoreProduct = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/products/restore',
  access: 'DeleteProducts',
  beside: true,
  summary: 'Bring back a deleted product',
  description: 'As it was, with its pictures, file and items. Nothing happens to one that is there.',
  body: RestoreProductForm,
  reply: envelope(SeenProduct),
})

export const duplicateProduct = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/products/{productId}/duplicate',
  access: 'CreateProducts',
  beside: true,
  summary: 'Copy a product',
  description: 'The copy is private and has no items and no file.',
  isIdempotent: true,
  reply: envelope(SeenProduct),
})

export const searchProducts = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/products/{page}/search/{query}',
  access: 'ViewProducts',
  beside: true,
  summary: "Search a store's products",
  description: 'Finds products whose name holds the words, or that have them as a tag, in any case.',
  query: PageQuery,
  reply: page(Product),
})

export const ImageOrderForm = Type.Object(
  {
    imageNames: Type.Array(Text({ minLength: 1, maxLength: 64 }, 'The name of an image.'), {
      maxItems: 20,
      uniqueItems: true,
      description: 'The names of all images of the product, in their new order.',
    }),
  },
  { title: 'ImageOrderForm', description: 'In which order the images are shown.' },
)

export const arrangeProductImages = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/products/{productId}/images',
  access: 'UpdateProducts',
  beside: true,
  summary: "Arrange a product's images",
  description: 'The first one is shown in lists.',
  body: ImageOrderForm,
  reply: envelope(Product),
})

export const pinProduct = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/products/{productId}/pin',
  access: 'UpdateProducts',
  beside: true,
  summary: 'Pin a product, or let it go',
  description: 'Pinned products stand before the others on the store page.',
  body: PinForm,
  reply: envelope(Product),
})
