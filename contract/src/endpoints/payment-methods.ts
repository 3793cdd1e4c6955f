import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { SweepOffer } from '../shapes/sweep.ts'
import { PaymentMethodSettings, SavedPaymentSettings } from '../shapes/payment-method.ts'
import { list, nullable, optional } from '../values.ts'

/** Where money goes is not changed by an old session alone. */
const proof = {
  password: optional(
    nullable(Type.String({ maxLength: 1024, description: "The user's password; needed on the dashboard." })),
    null,
  ),
  code: optional(
    nullable(Type.String({ maxLength: 64, description: 'A two-factor code; needed on the dashboard where it is on.' })),
    null,
  ),
}

export const PaymentSettingsForm = Type.Object(
  {
    isEnabled: optional(Type.Boolean({ description: 'Whether buyers can choose the method from now on.' }), true),
    settings: optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        maxProperties: 50,
        additionalProperties: true,
        description: 'The fields of the method by their names. A secret that is left out stays as it is.',
      }),
      {},
    ),
    ...proof,
  },
  { title: 'PaymentSettingsForm', description: 'What a payment method needs to know.' },
)
export type PaymentSettingsForm = Type.Static<typeof PaymentSettingsForm>

export const PaymentSwitchForm = Type.Object(
  { isEnabled: Type.Boolean({ description: 'Whether buyers can choose the method.' }) },
  { title: 'PaymentSwitchForm', description: 'On or off.' },
)
export type PaymentSwitchForm = Type.Static<typeof PaymentSwitchForm>

export const listPaymentSettings = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/payment-methods/settings',
  access: 'ViewStores',
  beside: true,
  summary: 'List the payment methods with their settings',
  description: 'Secrets are never shown.',
  reply: envelope(list(PaymentMethodSettings, 'Every method that can be set up.')),
})

export const savePaymentSettings = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/payment-methods/{method}',
  access: 'UpdatePaymentMethods',
  beside: true,
  summary: 'Save the settings of a payment method',
  description: 'The gateway is asked first whether they work. The form replaces: only secrets may be left out.',
  body: PaymentSettingsForm,
  reply: envelope(SavedPaymentSettings),
})

export const switchPaymentMethod = endpoint({
  method: 'PATCH',
  path: '/stores/{storeId}/payment-methods/{method}',
  access: 'UpdatePaymentMethods',
  beside: true,
  summary: 'Switch a payment method on or off',
  body: PaymentSwitchForm,
  reply: envelope(PaymentMethodSettings),
})

export const testPaymentSettings = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/payment-methods/{method}/test',
  access: 'UpdatePaymentMethods',
  beside: true,
  summary: 'Ask the gateway whether the saved settings work',
  reply: envelope(PaymentMethodSettings),
})

export const forgetPaymentSettings = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/payment-methods/{method}',
  access: 'UpdatePaymentMethods',
  beside: true,
  summary: 'Forget the settings of a payment method',
  description:
    'Its secrets are gone; payments that were made stay. Refused with 409 while a wallet made here holds money.',
  reply: envelope(PaymentMethodSettings),
})

export const getSweep = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/payment-methods/{method}/sweeps',
  access: 'UpdatePaymentMethods',
  beside: true,
  waitsForOthers: true,
  summary: 'See what of a coin can be sent on, and what it costs',
  description: 'The chain is asked. Only a wallet made here can spend: an extended public key can only watch.',
  reply: envelope(SweepOffer),
})

export const SweepForm = Type.Object(
  {
    recipient: Type.String({ minLength: 1, maxLength: 100, description: 'An address of your own.' }),
    feeMax: Type.String({
      pattern: '^\\d{1,9}(\\.\\d{1,18})?$',
      reason: 'must be a decimal number of ether',
      description: 'What it may cost at most: the fee that was shown.',
    }),
    ...proof,
  },
  { title: 'SweepForm', description: 'Where to send what came.' },
)
export type SweepForm = Type.Static<typeof SweepForm>

export const startSweep = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/payment-methods/{method}/sweeps',
  access: 'UpdatePaymentMethods',
  beside: true,
  waitsForOthers: true,
  summary: 'Send on what came to the wallet made here',
  description:
    'On the dashboard alone, with password and two-factor code: a key is refused with 403. Refused with 409 when it ' +
    'would cost more than was shown, or while money is being sent on.',
  body: SweepForm,
  reply: envelope(SweepOffer),
})

export const hearPaymentNotice = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/payment-methods/{method}/notices',
  access: 'public',
  beside: true,
  summary: 'Take a message of the gateway',
  description: 'For the gateway alone: a message without its signature is refused.',
  isBodySigned: true,
  reply: envelope(Nothing),
})
