import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { StoreView } from '../shapes/product-group.ts'
import { Store, socialMediaLinks } from '../shapes/store.ts'
import { Markdown, nullable, optional, shape, StringMap, Text, Uuid } from '../values.ts'

const colour = (what: string) =>
  nullable(
    Type.String({
      pattern: '^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$',
      description: `The colour of ${what}: # and 3, 4, 6 or 8 hexadecimal digits.`,
    }),
  )
const line = (description: string, maxLength = 256) => nullable(Text({ maxLength }, description))
const account = (network: string) => optional(line(`The store's ${network} account.`), null)

const SocialMediaForm = Type.Object(
  {
    shortVideo: account('short-video'),
    videoSharing: account('video-sharing'),
    microblog: account('microblog'),
    socialNetwork: account('social-network'),
    chat: account('chat'),
    messenger: account('messenger'),
    photoSharing: account('photo-sharing'),
  },
  { description: "The store's accounts elsewhere." },
)

const fields = {
  name: Text({ minLength: 1, maxLength: 100 }, 'The name shown on the store page, 1 to 100 characters.'),
  url: Type.String({
    pattern: '^[a-zA-Z0-9]*$',
    minLength: 1,
    maxLength: 63,
    description: "The store's label: its subdomain under the store domain. 1 to 63 letters and digits, not reserved.",
  }),
  accentColor: colour('buttons and inputs'),
  description: nullable(Markdown('The text under the title.')),
  themeName: line('The active theme.', 64),
  leadingText: line('The text above the description.', 1000),
  title: line('The title in the browser.'),
  termsOfService: nullable(Markdown('The terms of service.')),
  privacyPolicy: nullable(Markdown('The privacy policy.')),
  copyright: line('The copyright notice.', 1000),
  hideViewCount: Type.Boolean({ description: 'Whether the number of visits is hidden.' }),
  hideStatistics: Type.Boolean({ description: 'Whether every statistic is hidden.' }),
  isForcingDarkMode: Type.Boolean({ description: 'Whether the store is always dark.' }),
  areItemsMailed: Type.Boolean({
    description: "Whether the mail about a delivery holds the items, or only the link to the order's page.",
  }),
  reviewRequestDays: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 60,
      description: 'How many days after delivery a mail asks the buyer for a review; null for none.',
    }),
  ),
  affiliatePercentage: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'What a customer gets of what others pay who come by their link, in percent; 0 for nothing.',
  }),
  preferredCurrency: Type.String({
    pattern: '^[A-Z]{3}$',
    description: 'The ISO 4217 code of the currency that prices are in.',
  }),
  announcement: nullable(Markdown('What the home page announces.')),
  sellerMessage: nullable(Markdown("What is shown with the seller's profile.")),
  backgroundColor: colour('the background'),
  cardBackgroundColor: colour('cards'),
  navigationColor: colour('the navigation'),
  buttonColor: colour('all buttons; accentColor changes only primary ones'),
  socialMediaAccounts: SocialMediaForm,
  featuredProductId: nullable(Uuid('The product featured on the home page.')),
  themeProperties: StringMap(
    "The theme's own settings: at most 64, names of letters, digits, - and _, values up to 256 characters without ; { } < > \\ or url(.",
    { maxProperties: 64, propertyNames: { pattern: '^[a-zA-Z0-9_-]{1,64}$' } },
    { maxLength: 256, pattern: '^(?![^]*[uU][rR][lL]\\()[^;{}<>\\\\]*$' },
  ),
}

// The interface does not show which fields are required; name and url are.
export const StoreForm = Type.Object(
  {
    name: fields.name,
    url: fields.url,
    accentColor: optional(fields.accentColor, null),
    description: optional(fields.description, null),
    themeName: optional(fields.themeName, null),
    leadingText: optional(fields.leadingText, null),
    title: optional(fields.title, null),
    termsOfService: optional(fields.termsOfService, null),
    privacyPolicy: optional(fields.privacyPolicy, null),
    copyright: optional(fields.copyright, null),
    hideViewCount: optional(fields.hideViewCount, false),
    hideStatistics: optional(fields.hideStatistics, false),
    isForcingDarkMode: optional(fields.isForcingDarkMode, false),
    areItemsMailed: optional(fields.areItemsMailed, true),
    reviewRequestDays: optional(fields.reviewRequestDays, null),
    affiliatePercentage: optional(fields.affiliatePercentage, 0),
    preferredCurrency: optional(fields.preferredCurrency, 'USD'),
    announcement: optional(fields.announcement, null),
    sellerMessage: optional(fields.sellerMessage, null),
    backgroundColor: optional(fields.backgroundColor, null),
    cardBackgroundColor: optional(fields.cardBackgroundColor, null),
    navigationColor: optional(fields.navigationColor, null),
    buttonColor: optional(fields.buttonColor, null),
    socialMediaAccounts: optional(fields.socialMediaAccounts, {}),
    featuredProductId: optional(fields.featuredProductId, null),
    themeProperties: optional(fields.themeProperties, {}),
  },
  { title: 'StoreForm', description: 'What a seller says of a store.' },
)
export type StoreForm = Type.Static<typeof StoreForm>

const StoreSettings = shape('StoreSettings', "The store's form as it was last saved, to be edited.", {
  ...fields,
  socialMediaAccounts: Type.Object(socialMediaLinks, { description: "The store's accounts elsewhere." }),
  profileImage: nullable(Type.String({ description: "The address of the store's logo; null when unset." })),
})

export const OrderingForm = Type.Array(
  Type.Object(
    {
      id: Uuid('The product or the group.'),
      isGroup: Type.Boolean({ description: 'Whether the id is that of a group.' }),
      order: Type.Integer({
        minimum: -2_147_483_648,
        maximum: 2_147_483_647,
        description: 'The place; lower comes first.',
      }),
    },
    { description: 'The place of a product or a group.' },
  ),
  {
    maxItems: 10_000,
    description: 'The places of products and groups, at most 10,000.',
  },
)
export type OrderingForm = Type.Static<typeof OrderingForm>

export const createStore = endpoint({
  method: 'POST',
  path: '/stores',
  access: 'CreateStores',
  summary: 'Open a store',
  description: 'A label that another store has, in any case, is refused with 409.',
  body: StoreForm,
  isIdempotent: true,
  reply: envelope(Store),
})

export const getStore = endpoint({
  method: 'GET',
  path: '/stores/{storeId}',
  access: 'ViewStores',
  summary: 'Get a store',
  description: 'Unredacted. What is embedded obeys the scope of its own endpoint.',
  reply: envelope(Store),
})

export const updateStore = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}',
  access: 'UpdateStores',
  summary: 'Change a store',
  description: 'The form replaces: a field that is left out goes back to its default.',
  body: StoreForm,
  reply: envelope(Store),
})

export const replaceStoreImage = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/image',
  access: 'UpdateStores',
  summary: "Set or replace a store's logo",
  description: 'PNG, JPG, WebP or GIF of at most 5 MB.',
  upload: {
    part: 'image',
    accepts: 'image/png, image/jpeg, image/webp, image/gif',
  },
  reply: envelope(Store),
})

export const arrangeStore = endpoint({
  method: 'PATCH',
  path: '/stores/{storeId}/ordering',
  access: 'UpdateStores',
  summary: "Arrange a store's products and groups",
  description: 'Products and groups are sorted ascending by `order`.',
  body: OrderingForm,
  reply: envelope(Nothing),
})

export const viewStore = endpoint({
  method: 'GET',
  path: '/stores/{storeUrl}/view',
  access: 'public',
  summary: "See a store's home page by its label or custom domain",
  reply: envelope(StoreView),
})

export const viewStoreById = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/view_id',
  access: 'public',
  summary: "See a store's home page by its id",
  reply: envelope(StoreView),
})

export const getStoreSettings = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/settings',
  access: 'ViewStores',
  beside: true,
  summary: "Get a store's form as it was last saved",
  description: 'Every field that `PUT /stores/{storeId}` replaces.',
  reply: envelope(StoreSettings),
})

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/webhook-secret',
  access: 'UpdateStores',
  beside: true,
  summary: 'Make a new webhook secret',
  description: 'Events are signed with the former secret too for 24 hours.',
  reply: envelope(
    Type.Object({ webhookSecret: Type.String({ description: 'The new secret.' }) }, { description: 'The new secret.' }),
  ),
})

export const removeStoreImage = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/image',
  access: 'UpdateStores',
  beside: true,
  summary: "Remove a store's logo",
  description: 'Nothing happens when there is none.',
  reply: envelope(Nothing),
})
