import { Type } from 'typebox'
import { Count, list, nullable, OneOf, shape, Timestamp, Uuid } from '../values.ts'

const Owner = Type.Object(
  {
    id: Uuid('Identifies the user.'),
    userName: Type.String({ description: "The user's name on the platform." }),
    emailAddress: Type.String({ description: "The user's e-mail address." }),
    isDisabled: Type.Boolean({ description: 'Whether the account is switched off.' }),
  },
  { description: 'A seller.' },
)

export const StaffStore = shape('StaffStore', "A store, as the platform's staff see it.", {
  id: Uuid('Identifies the store.'),
  dateCreated: Timestamp('When the store was opened.'),
  name: Type.String({ description: 'The name of the store.' }),
  url: Type.String({ description: "The store's label." }),
  address: Type.String({ description: 'Where the store is.' }),
  isVerified: Type.Boolean({ description: 'Whether the platform vouches for the store.' }),
  isOpen: Type.Boolean({ description: 'Whether the public can visit it.' }),
  owner: Owner,
  products: Count('How many products it has.'),
  openReports: Count('How many reports about it wait.'),
})
export type StaffStore = Type.Static<typeof StaffStore>

export const StaffProduct = shape('StaffProduct', "A product, as the platform's staff see it.", {
  id: Uuid('Identifies the product.'),
  dateCreated: Timestamp('When the product was created.'),
  name: Type.String({ description: 'The name that buyers see.' }),
  visibility: Type.Integer({ description: '0 public, 1 unlisted, 2 private, 3 on hold.' }),
  cost: Type.Number({ description: "The price of one, in the store's currency." }),
  currency: Type.String({ description: "The store's currency." }),
  isDeleted: Type.Boolean({ description: 'Whether its seller has deleted it; it can be brought back.' }),
})
export type StaffProduct = Type.Static<typeof StaffProduct>

export const StaffUser = shape('StaffUser', "An account, as the platform's staff see it.", {
  id: Uuid('Identifies the user.'),
  dateCreated: Timestamp('When the user registered.'),
  userName: Type.String({ description: "The user's name on the platform." }),
  emailAddress: Type.String({ description: "The user's e-mail address." }),
  isConfirmed: Type.Boolean({ description: 'Whether the e-mail address is confirmed.' }),
  isStaff: Type.Boolean({ description: "Whether the user is one of the platform's staff." }),
  dateDisabled: nullable(Timestamp('When the account was switched off; null while it is on.')),
  disabledReason: nullable(Type.String({ description: 'Why it was switched off; null while it is on.' })),
  stores: list(
    Type.Object(
      {
        id: Uuid('Identifies the store.'),
        name: Type.String({ description: 'The name of the store.' }),
        url: Type.String({ description: "The store's label." }),
      },
      { description: 'A store.' },
    ),
    'The stores that the user owns, oldest first; at most 20.',
  ),
})
export type StaffUser = Type.Static<typeof StaffUser>

export const reportTypes = ['fraud', 'counterfeit', 'stolen', 'illegal', 'other'] as const

export const StaffReport = shape('StaffReport', 'What somebody told the staff about a store.', {
  id: Uuid('Identifies the report.'),
  dateCreated: Timestamp('When it was made.'),
  type: OneOf(reportTypes, 'What it is about.'),
  reason: Type.String({ description: 'In the words of who reported it.' }),
  storeId: Uuid('The store.'),
  storeName: Type.String({ description: 'The name of the store.' }),
  storeUrl: Type.String({ description: "The store's label." }),
  ownerId: Uuid("The store's owner."),
  productId: nullable(Uuid('The product; null when it is about the store.')),
  productName: nullable(Type.String({ description: 'The name of the product.' })),
  orderId: nullable(Uuid('The order of who reported it; null when they showed none.')),
  emailAddress: nullable(
    Type.String({ description: 'Where to ask back; null when unsaid. The seller never sees it.' }),
  ),
  dateResolved: nullable(Timestamp('When the staff closed it; null while it waits.')),
  note: nullable(Type.String({ description: 'What the staff noted when they closed it.' })),
})
export type StaffReport = Type.Static<typeof StaffReport>
