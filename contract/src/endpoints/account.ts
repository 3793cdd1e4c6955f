import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { Account } from '../shapes/account.ts'
import { EmailAddress, HttpUrl, nullable, optional } from '../values.ts'

const emailAddress = EmailAddress("The user's e-mail address.")
export const userName = Type.String({
  pattern: '^[a-zA-Z0-9_.-]*$',
  minLength: 3,
  maxLength: 32,
  description: "The user's name on the platform: 3 to 32 letters, digits, _ . and -.",
})
export const newPassword = Type.String({
  minLength: 10,
  maxLength: 256,
  description: 'The new password, 10 to 256 characters.',
})
const password = Type.String({ minLength: 1, maxLength: 256, description: 'The present password.' })
const token = Type.String({ minLength: 1, maxLength: 256, description: 'The token that the mail carried.' })
const code = Type.String({
  minLength: 6,
  maxLength: 64,
  description: 'A code of the authenticator app, or a recovery code.',
})
const codeIfNeeded = optional(
  nullable(code, 'A code of the authenticator app, or a recovery code. Needed when two-factor is on.'),
  null,
)
const revokeKeys = optional(Type.Boolean({ description: 'Whether all API keys are revoked too.' }), false)

export const EmailForm = Type.Object({ emailAddress })
export type EmailForm = Type.Static<typeof EmailForm>

export const TokenForm = Type.Object({ token })
export type TokenForm = Type.Static<typeof TokenForm>

export const CodeForm = Type.Object({ code })
export type CodeForm = Type.Static<typeof CodeForm>

export const SignUpForm = Type.Object({
  emailAddress,
  userName,
  password: newPassword,
  referralCode: optional(
    nullable(Type.String({ maxLength: 64, description: 'The code of the user who referred the new one.' })),
    null,
  ),
})
export type SignUpForm = Type.Static<typeof SignUpForm>

export const signUp = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/sign-up',
  access: 'guest',
  summary: 'Register',
  description: 'Sends a mail with a link to confirm. The answer does not tell whether the address is known.',
  body: SignUpForm,
  reply: envelope(Nothing),
})

export const confirmAccount = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/confirm',
  access: 'guest',
  summary: 'Confirm the e-mail address and sign in',
  body: TokenForm,
  reply: envelope(Account),
})

export const resendConfirmation = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/confirm/resend',
  access: 'guest',
  summary: 'Send the mail to confirm again',
  description: 'The answer does not tell whether the address is known.',
  body: EmailForm,
  reply: envelope(Nothing),
})

export const SignInForm = Type.Object({ emailAddress, password })
export type SignInForm = Type.Static<typeof SignInForm>

export const signIn = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/sign-in',
  access: 'guest',
  summary: 'Sign in',
  description: 'With two-factor on, the session begins only after the code.',
  body: SignInForm,
  reply: envelope(
    Type.Object(
      {
        isTwoFactorRequired: Type.Boolean({ description: 'Whether a code is still needed.' }),
      },
      { description: 'What is left to do.' },
    ),
  ),
})

export const signInWithCode = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/sign-in/code',
  access: 'guest',
  summary: 'Finish signing in with a code',
  body: CodeForm,
  reply: envelope(Nothing),
})

export const signOut = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/sign-out',
  access: 'session',
  summary: 'Sign out',
  reply: envelope(Nothing),
})

export const forgetPassword = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/password/forgot',
  access: 'guest',
  summary: 'Ask for a link to set a new password',
  description: 'The answer does not tell whether the address is known.',
  body: EmailForm,
  reply: envelope(Nothing),
})

export const PasswordResetForm = Type.Object({ token, password: newPassword, revokeKeys })
export type PasswordResetForm = Type.Static<typeof PasswordResetForm>

export const resetPassword = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/password/reset',
  access: 'guest',
  summary: 'Set a new password with the link of the mail',
  description: 'The link is good once, for 15 minutes. All sessions end.',
  body: PasswordResetForm,
  reply: envelope(Nothing),
})

export const getAccount = endpoint({
  beside: true,
  method: 'GET',
  path: '/account',
  access: 'session',
  summary: 'Get the person who is signed in',
  reply: envelope(Account),
})

export const ProfileForm = Type.Object({
  userName,
  allowMarketplace: optional(
    Type.Boolean({ description: "Whether the user's products may be in the marketplace." }),
    true,
  ),
  chatWebhookUrl: optional(nullable(HttpUrl('Receives short messages about sales. http or https.')), null),
})
export type ProfileForm = Type.Static<typeof ProfileForm>

export const updateProfile = endpoint({
  beside: true,
  method: 'PUT',
  path: '/account/profile',
  access: 'session',
  summary: 'Change the profile',
  body: ProfileForm,
  reply: envelope(Account),
})

export const EmailChangeForm = Type.Object({ emailAddress, password, code: codeIfNeeded })
export type EmailChangeForm = Type.Static<typeof EmailChangeForm>

export const changeEmail = endpoint({
  beside: true,
  method: 'PUT',
  path: '/account/email',
  access: 'session',
  summary: 'Change the e-mail address',
  description: 'The new address counts once it is confirmed.',
  body: EmailChangeForm,
  reply: envelope(Account),
})

export const confirmEmail = endpoint({
  beside: true,
  method: 'POST',
  path: '/account/email/confirm',
  access: 'guest',
  summary: 'Confirm a changed e-mail address',
  body: TokenForm,
  reply: envelope(Nothing),
})

export const PasswordForm = Type.Object({ currentPassword: password, newPassword, code: codeIfNeeded, revokeKeys })
export type PasswordForm = Type.Static<typeof PasswordForm>

export const changePassword = endpoint({
  beside: true,
  method: 'PUT',
  path: '/account/password',
  access: 'session',
  summary: 'Change the password',
  description: 'All other sessions end.',
  body: PasswordForm,
  reply: envelope(Nothing),
})
