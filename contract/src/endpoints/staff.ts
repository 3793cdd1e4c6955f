import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, page, StaffPageQuery } from '../envelope.ts'
import { paymentMethodIds } from '../payment-methods.ts'
import { StaffProduct, StaffStore, StaffUser } from '../shapes/staff.ts'
import { nullable, optional, StringMap, Text, Timestamp } from '../values.ts'

const staff = { access: 'staff', beside: true } as const

const search = optional(
  nullable(Type.String({ maxLength: 254, description: 'Only what has this in its name, label or address.' })),
  null,
)
const SearchQuery = Type.Object({ ...StaffPageQuery.properties, search })

export const ReasonForm = Type.Object(
  { reason: Text({ minLength: 1, maxLength: 2048 }, 'Why; the seller reads it.') },
  { title: 'ReasonForm', description: 'Why the staff act.' },
)
export type ReasonForm = Type.Static<typeof ReasonForm>

export const listStoresForStaff = endpoint({
  ...staff,
  method: 'GET',
  path: '/staff/stores',
  summary: 'List all stores',
  description: 'Newest first.',
  query: SearchQuery,
  reply: page(StaffStore),
})

export const VerificationForm = Type.Object(
  { isVerified: Type.Boolean({ description: 'Whether the platform vouches for the store.' }) },
  { title: 'VerificationForm', description: 'Whether a store is verified.' },
)
export type VerificationForm = Type.Static<typeof VerificationForm>

export const verifyStore = endpoint({
  ...staff,
  method: 'PUT',
  path: '/staff/stores/{storeId}/verification',
  summary: 'Verify a store, or take it back',
  body: VerificationForm,
  reply: envelope(StaffStore),
})

export const listProductsForStaff = endpoint({
  ...staff,
  method: 'GET',
  path: '/staff/stores/{storeId}/products',
  summary: "List a store's products for the staff",
  description: 'Newest first, deleted ones too.',
  query: SearchQuery,
  reply: page(StaffProduct),
})

export const holdProduct = endpoint({
  ...staff,
  method: 'PUT',
  path: '/staff/stores/{storeId}/products/{productId}/hold',
  summary: 'Put a product on hold',
  description:
    'Nobody sees or buys it until it is released; the seller is told why. A deleted one comes back on hold. On hold already: 409.',
  body: ReasonForm,
  reply: envelope(StaffProduct),
})

export const releaseProduct = endpoint({
  ...staff,
  method: 'DELETE',
  path: '/staff/stores/{storeId}/products/{productId}/hold',
  summary: 'Release a product from hold',
  description: 'It is private afterwards: its seller publishes it again. Not on hold: 409.',
  body: ReasonForm,
  reply: envelope(StaffProduct),
})

export const listUsersForStaff = endpoint({
  ...staff,
  method: 'GET',
  path: '/staff/users',
  summary: 'List all accounts',
  description: 'Newest first.',
  query: Type.Object({
    ...SearchQuery.properties,
    isDisabled: optional(Type.Boolean({ description: 'Only accounts that are switched off.' }), false),
  }),
  reply: page(StaffUser),
})

export const disableUser = endpoint({
  ...staff,
  method: 'PUT',
  path: '/staff/users/{userId}/disabled',
  summary: 'Switch an account off',
  description:
    'Its sessions and keys stop at once, its stores are closed to everybody, and signing in is refused. Staff cannot ' +
    'be switched off here: 409.',
  body: ReasonForm,
  reply: envelope(StaffUser),
})

export const enableUser = endpoint({
  ...staff,
  method: 'DELETE',
  path: '/staff/users/{userId}/disabled',
  summary: 'Switch an account on again',
  body: ReasonForm,
  reply: envelope(StaffUser),
})

export const PlanForm = Type.Object(
  {
    plan: Type.String({ pattern: '^[\\w-]{1,32}$', reason: 'must be one word', description: 'The name of the plan.' }),
    planExpiry: optional(nullable(Timestamp('When it ends; null when it does not.')), null),
  },
  { title: 'PlanForm', description: "A seller's plan." },
)
export type PlanForm = Type.Static<typeof PlanForm>

export const setPlan = endpoint({
  ...staff,
  method: 'PUT',
  path: '/staff/users/{userId}/plan',
  summary: "Set a seller's plan",
  description: 'The operator decides what the platform keeps of each payment by plan.',
  body: PlanForm,
  reply: envelope(StaffUser),
})

export const DisabledMethodsForm = Type.Object(
  {
    disabledPaymentMethods: StringMap(
      'Payment method ID to the reason why the seller cannot take it.',
      { maxProperties: 20, propertyNames: { enum: [...paymentMethodIds] } },
      { minLength: 1, maxLength: 500 },
    ),
  },
  { title: 'DisabledMethodsForm', description: 'What a seller may not take in any store.' },
)
export type DisabledMethodsForm = Type.Static<typeof DisabledMethodsForm>

export const disablePaymentMethods = endpoint({
  ...staff,
  method: 'PUT',
  path: '/staff/users/{userId}/disabled-methods',
  summary: 'Say which payment methods a seller cannot take',
  body: DisabledMethodsForm,
  reply: envelope(StaffUser),
})
