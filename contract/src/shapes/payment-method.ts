import { Type } from 'typebox'
import { list, nullable, OneOf, shape, Timestamp } from '../values.ts'

const fieldKinds = ['text', 'email', 'long', 'secret', 'flag', 'number', 'choice'] as const

export const PaymentSettingsField = shape('PaymentSettingsField', 'Something that a payment method needs to know.', {
  name: Type.String({ description: 'The name of the field in the form.' }),
  label: Type.String({ description: 'What to call it.' }),
  hint: Type.String({ description: 'What helps to fill it in.' }),
  kind: OneOf(fieldKinds, 'What kind of value it takes; a secret is never shown again.'),
  isRequired: Type.Boolean({ description: 'Whether it must be filled in.' }),
  choices: list(Type.String({ description: 'A value.' }), 'The values to choose from; empty unless it is a choice.'),
  isSet: Type.Boolean({ description: 'Whether it is filled in.' }),
  value: Type.Unsafe<string | boolean | number | null>({
    type: ['string', 'boolean', 'number', 'null'],
    description: 'What is filled in; null for a secret and for nothing.',
  }),
})
export type PaymentSettingsField = Type.Static<typeof PaymentSettingsField>

export const PaymentMethodSettings = shape('PaymentMethodSettings', 'How a store takes a payment method.', {
  id: Type.String({ description: 'The payment method ID.' }),
  name: Type.String({ description: 'The name that buyers read.' }),
  words: Type.String({ description: 'What it is, for the seller.' }),
  isEnabled: Type.Boolean({ description: 'Whether the seller switched it on.' }),
  isSetUp: Type.Boolean({ description: 'Whether what is needed is filled in.' }),
  disabledReason: nullable(
    Type.String({ description: 'Why the owner of the store cannot take it in any store; null when they can.' }),
  ),
  checkedAt: nullable(Timestamp('When the settings were last tried; null when never.')),
  problem: nullable(Type.String({ description: 'What the last try found wrong; null when all was well.' })),
  fields: list(PaymentSettingsField, 'What is to be filled in.'),
  canBeSwept: Type.Boolean({ description: 'Whether what came can be sent on from here, if its wallet was made here.' }),
  facts: list(
    Type.Object({
      label: Type.String({ description: 'What it is.' }),
      value: Type.String({ description: 'The text itself, to be copied.' }),
    }),
    'What the seller should know, such as an address to enter at the gateway.',
  ),
})
export type PaymentMethodSettings = Type.Static<typeof PaymentMethodSettings>

export const SavedPaymentSettings = shape('SavedPaymentSettings', 'How a store takes a payment method, as saved now.', {
  ...PaymentMethodSettings.properties,
  shownOnce: nullable(
    Type.String({ description: 'What the seller must keep, such as the words of a new wallet; never shown again.' }),
  ),
})
export type SavedPaymentSettings = Type.Static<typeof SavedPaymentSettings>
