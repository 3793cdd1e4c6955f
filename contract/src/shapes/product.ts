import { Type } from 'typebox'
import { Count, list, nullable, OneOf, shape, StringMap, Timestamp, Uuid } from '../values.ts'

// The interface names no visibilities and no product types; these are ours.
export const visibilities = {
  public: 0,
  unlisted: 1,
  private: 2,
  onHold: 3,
} as const
/** What the public may find in a store's lists. */
export const listedVisibilities: readonly number[] = [visibilities.public]
/** What the public may see and buy, when it knows the address. */
export const reachableVisibilities: readonly number[] = [visibilities.public, visibilities.unlisted]

export const productTypes = { oneTime: 0, subscription: 1 } as const

const shared = {
  id: Uuid('Identifies the product.'),
  dateCreated: Timestamp('When the product was created.'),
  name: Type.String({ description: 'The name that buyers see.' }),
  description: nullable(Type.String({ description: 'What buyers read about the product, in markdown.' })),
  tags: list(Type.String({ description: 'A word.' }), 'Words by which the marketplace finds the product.'),
  imageNames: list(
    Type.String({ description: 'The name of an image.' }),
    'The names under which the images are stored, in the order shown.',
  ),
  cost: Type.Number({ description: "The price of one, in the store's currency." }),
  amountSold: Count('How many have been delivered.'),
  ignoreOutOfStock: Type.Boolean({ description: 'Whether the product can be bought when it is out of stock.' }),
  isPinned: Type.Boolean({ description: 'Whether the product stands before the others.' }),
  isDynamic: Type.Boolean({ description: "Whether the answer of the seller's webhook is what is delivered." }),
  minimumQuantity: Type.Integer({ description: 'The fewest that one order may hold.' }),
  maximumQuantity: Type.Integer({ description: 'The most that one order may hold; -1 means no limit.' }),
  order: Type.Integer({ description: 'The place in the store; lower comes first.' }),
  visibility: OneOf(
    [0, 1, 2, 3],
    '0 public, 1 unlisted (reached by its address only), 2 private (not for sale), 3 on hold by the platform.',
  ),
  likes: Count('How many people like the product.'),
  customValueKeys: list(
    Type.String({ description: 'The name of a field.' }),
    'The fields that a buyer must fill in when ordering.',
  ),
}

/** The seller's wishes for payment and protection, which the public product view shows too. */
export const productTerms = {
  deliveryMessage: nullable(Type.String({ description: 'What the buyer reads when the order is delivered.' })),
  blacklistedPaymentGateways: list(
    Type.String({ description: 'A payment method ID.' }),
    'The payment methods that cannot be used for this product.',
  ),
  shouldBlockVirtualPrivateNetworks: Type.Boolean({ description: 'Whether buyers behind a VPN or proxy are refused.' }),
  isBestSeller: Type.Boolean({ description: 'Whether the store page marks the product as a best seller.' }),
  additionalFees: StringMap(
    'Payment method ID to the fee that the buyer pays with it, in percent, such as `{"bitcoin": "2.5"}`.',
  ),
}

const ProductFile = shape('ProductFile', 'The file that a product delivers.', {
  id: Uuid('Identifies the file.'),
  dateCreated: Timestamp('When the file was uploaded.'),
  friendlyName: Type.String({ description: 'The name that the buyer sees.' }),
})

const type = OneOf([0, 1], '0 sold once, 1 subscription.')
const subscriptionPeriod = nullable(
  Type.String({ description: 'How long a subscription lasts, as an ISO 8601 duration; null when sold once.' }),
)

const full = {
  ...shared,
  ...productTerms,
  files: list(ProductFile, 'The file that the product delivers; at most one.'),
  webhookUrl: nullable(
    Type.String({ description: 'Receives dynamic product requests and delivery notifications; null when unset.' }),
  ),
  fallbackToItems: Type.Boolean({
    description: "Whether a dynamic product delivers its own items when the webhook's last try has failed.",
  }),
  metadata: nullable(Type.String({ description: "The seller's own note; buyers never see it." })),
  type,
  subscriptionPeriod,
}

export const Product = shape('Product', 'A product, as its seller sees it.', full)
export type Product = Type.Static<typeof Product>

/** The fields of a product that anybody may see. */
export const card = {
  ...shared,
  stock: Type.Integer({ minimum: -1, description: 'How many can be delivered now; -1 means that nothing limits it.' }),
  rating: Type.Number({ minimum: 0, maximum: 5, description: 'The mean rating to two decimals; 0 without reviews.' }),
}

export const ProductCard = shape('ProductCard', 'A product as anybody may see it, without its store.', card)
export type ProductCard = Type.Static<typeof ProductCard>

const chatRoleId = nullable(Type.Integer({ description: 'The chat role that a buyer is given; null when none.' }))
const requireChatAuthorization = Type.Boolean({ description: 'Whether buyers must link their chat account.' })

export const FeaturedProductOfUser = shape('FeaturedProductOfUser', "The featured product of a seller's store.", {
  ...card,
  type,
  subscriptionPeriod,
  chatRoleId,
  requireChatAuthorization,
  useChatIntegration: Type.Boolean({ description: 'Whether the chat integration is used for the product.' }),
})

const KeyAuthOptions = shape('KeyAuthOptions', 'How licence keys are made for the product.', {
  id: Uuid('Identifies the options.'),
  dateCreated: Timestamp('When the options were created.'),
  isEnabled: Type.Boolean({ description: 'Whether licence keys are made.' }),
  mask: Type.String({ description: 'The pattern of a licence key.' }),
  level: Type.String({ description: 'The level that a licence key gives.' }),
  expiryDays: Type.Integer({ description: 'For how many days a licence key is good.' }),
})

export const OrderProduct = shape('OrderProduct', 'A product, as it is embedded in an order.', {
  ...full,
  slug: nullable(Type.String({ description: 'The readable part of the address; null when unset.' })),
  category: nullable(Type.String({ description: 'The category; null when unset.' })),
  buttonLabel: nullable(Type.String({ description: 'What the button on the delivery page says; null when unset.' })),
  buttonLink: nullable(Type.String({ description: 'Where the button on the delivery page leads; null when unset.' })),
  subscriptionId: nullable(Type.String({ description: 'The subscription of the product; null when sold once.' })),
  listedUntil: nullable(Timestamp('Until when the product is listed; null without an end.')),
  chatServerId: nullable(Type.Integer({ description: 'The chat server that a buyer joins; null when none.' })),
  chatRoleId,
  requireChatAuthorization,
  keyAuthOptions: nullable(KeyAuthOptions, 'How licence keys are made; null when they are not.'),
})
export type OrderProduct = Type.Static<typeof OrderProduct>
