import { Type } from 'typebox'
import { Count, list, nullable, shape, StringMap, Timestamp, Uuid } from '../values.ts'
import { Coupon } from './coupon.ts'
import { FeaturedProductOfUser, Product, ProductCard } from './product.ts'

const link = (network: string) =>
  nullable(Type.String({ description: `The store's ${network} account; null when unset.` }))

export const socialMediaLinks = {
  shortVideo: link('short-video'),
  videoSharing: link('video-sharing'),
  microblog: link('microblog'),
  socialNetwork: link('social-network'),
  chat: link('chat'),
  messenger: link('messenger'),
  photoSharing: link('photo-sharing'),
}

const shared = {
  id: Uuid('Identifies the store.'),
  dateCreated: Timestamp('When the store was opened.'),
  name: Type.String({ description: 'The name shown on the store page.' }),
  description: nullable(Type.String({ description: 'The text under the title; null when unset.' })),
  url: Type.String({ description: "The store's label: its subdomain under the store domain." }),
  customDomain: nullable(Type.String({ description: "The store's own domain; null when unset." })),
  termsOfService: nullable(Type.String({ description: 'The terms of service, in markdown; null when unset.' })),
  copyright: nullable(Type.String({ description: 'The copyright notice; null when unset.' })),
  privacyPolicy: nullable(Type.String({ description: 'The privacy policy, in markdown; null when unset.' })),
  preferredCurrency: Type.String({ description: 'The ISO 4217 code of the currency that prices are in.' }),
  isVerified: Type.Boolean({ description: 'Whether the platform has verified the store.' }),
}

const properties = StringMap("The theme's own settings, by name.")

/** The fields of a store that anybody may see. */
export const publicStore = {
  ...shared,
  featuredProduct: nullable(ProductCard, 'The product featured on the home page; null when none.'),
  visits: Count('How many visits the store has had; 0 when the seller hides it.'),
  reviews: Count('How many reviews the store has; 0 when the seller hides it.'),
  rating: Type.Number({ description: 'The mean rating to two decimals; 0 without reviews or when hidden.' }),
  resolvedTickets: Count('How many tickets have been resolved; 0 when the seller hides it.'),
  productsSold: Count('How many products have been sold; 0 when the seller hides it.'),
  theme: Type.Object({ properties }, { description: 'How the store looks.' }),
  socialMediaAccounts: Type.Object(
    {
      dateCreated: Timestamp('When the accounts were first set.'),
      ...socialMediaLinks,
    },
    { description: "The store's accounts elsewhere." },
  ),
  profileImage: nullable(Type.String({ description: "The address of the store's logo; null when unset." })),
}

export const PublicStore = shape('PublicStore', 'A store, as anybody may see it.', publicStore)
export type PublicStore = Type.Static<typeof PublicStore>

export const Visits = shape('Visits', 'The visits of one day.', {
  id: Uuid('Identifies the day of this store.'),
  dateCreated: Timestamp('The beginning of the day, in UTC.'),
  visits: Count('How many visitors came; each counts once a day.'),
})

const StoreGroup = shape('StoreGroup', 'A product group, as its seller sees it in the store.', {
  id: Uuid('Identifies the group.'),
  dateCreated: Timestamp('When the group was created.'),
  name: Type.String({ description: 'The name shown instead of the names of its products.' }),
  order: Type.Integer({ description: 'The place in the store; lower comes first.' }),
  products: list(Product, 'The products of the group.'),
})

const override = (what: string) =>
  nullable(Type.Integer({ description: `Shown instead of the true number of ${what}; null when unset.` }))

const store = {
  ...shared,
  gross: Type.Number({ description: "What the store has been paid, less refunds, in the store's currency." }),
  theme: Type.Object(
    {
      id: Uuid('Identifies the theme.'),
      dateCreated: Timestamp('When the theme was first set.'),
      properties,
    },
    { description: 'How the store looks.' },
  ),
  products: list(Product, "The store's products; empty for a key without ViewProducts."),
  groupedProducts: list(StoreGroup, "The store's product groups; empty for a key without ViewProducts."),
  visits: list(Visits, "The store's visits by day, newest first."),
  featuredProductId: nullable(Uuid('The product featured on the home page; null when none.')),
  lastCustomDomainUpdate: nullable(Timestamp('When the custom domain was last changed; null when never.')),
  socialMediaAccounts: Type.Object(
    {
      id: Uuid('Identifies the accounts.'),
      dateCreated: Timestamp('When the accounts were first set.'),
      ...socialMediaLinks,
    },
    { description: "The store's accounts elsewhere." },
  ),
  coupons: list(Coupon, "The store's coupons; empty for a key without ViewCoupons."),
  productsSoldOverride: override('products sold'),
  reviewsOverride: override('reviews'),
  resolvedTicketsOverride: override('resolved tickets'),
  viewsOverride: override('visits'),
  webhookSecret: Type.String({
    description: 'Signs the events sent to webhooks; an empty string for a key without UpdateStores.',
  }),
}

export const Store = shape('Store', 'A store, as its seller sees it.', store)
export type Store = Type.Static<typeof Store>

export const StoreOfUser = shape('StoreOfUser', 'A store of the user, with what the user may do in it.', {
  ...store,
  featuredProduct: nullable(FeaturedProductOfUser, 'The product featured on the home page; null when none.'),
  scopes: list(Type.String({ description: 'The name of a scope.' }), 'What the user may do in this store.'),
  isChatBotConfigured: Type.Boolean({ description: 'Whether the chat bot has been set up.' }),
  domain: Type.String({ description: "The host of the store's pages: its custom domain, or its subdomain." }),
  prependProductNameToReceipt: Type.Boolean({ description: 'Whether receipts begin with the name of the product.' }),
})
export type StoreOfUser = Type.Static<typeof StoreOfUser>
