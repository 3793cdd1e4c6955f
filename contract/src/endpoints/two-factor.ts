import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { list, shape } from '../values.ts'
import { CodeForm, SignInForm } from './account.ts'

const password = SignInForm.properties.password

export const PasswordProofForm = Type.Object({ password })
export type PasswordProofForm = Type.Static<typeof PasswordProofForm>

export const SecondFactorForm = Type.Object({ password, code: CodeForm.properties.code })
export type SecondFactorForm = Type.Static<typeof SecondFactorForm>

const RecoveryCodes = shape('RecoveryCodes', 'Codes for the day when the authenticator app is lost.', {
  recoveryCodes: list(Type.String({ description: 'A code, good once.' }), 'The codes; shown only now.'),
})

export const beginTwoFactor = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/two-factor',
  access: 'session',
  summary: 'Begin to switch two-factor on',
  body: PasswordProofForm,
  reply: envelope(
    Type.Object(
      {
        secret: Type.String({ description: 'The secret, to be typed into the authenticator app.' }),
        uri: Type.String({ description: 'The secret as an otpauth URI.' }),
        qrCode: Type.String({ description: 'The URI as a QR code, in SVG.' }),
      },
      { description: 'What the authenticator app needs.' },
    ),
  ),
})

export const enableTwoFactor = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/two-factor/enable',
  access: 'session',
  summary: 'Switch two-factor on with a first code',
  body: CodeForm,
  reply: envelope(RecoveryCodes),
})

export const disableTwoFactor = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/two-factor/disable',
  access: 'session',
  summary: 'Switch two-factor off',
  body: SecondFactorForm,
  reply: envelope(Nothing),
})

export const renewRecoveryCodes = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/two-factor/recovery-codes',
  access: 'session',
  summary: 'Make new recovery codes',
  description: 'The former ones are no longer good.',
  body: SecondFactorForm,
  reply: envelope(RecoveryCodes),
})
