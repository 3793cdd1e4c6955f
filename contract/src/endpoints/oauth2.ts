import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope } from '../envelope.ts'
import { Consent } from '../shapes/app.ts'
import { nullable, optional } from '../values.ts'

export const exchangeCode = endpoint({
  method: 'GET',
  path: '/oauth2/{appId}/exchange/{code}',
  access: 'public',
  hasEffect: true,
  summary: 'Exchange an access code for an API key',
  description:
    'The code is good once, for 60 seconds after it was issued. A wrong secret does not use it up. Using a code again revokes the key it gave.',
  headers: {
    'XOAuth2-Client-Secret': {
      description: "The application's client secret.",
      isRequired: true,
    },
  },
  query: Type.Object({
    code_verifier: optional(
      nullable(Type.String({ description: 'The PKCE verifier; needed when the redirect had a challenge.' })),
      null,
    ),
  }),
  reply: envelope(Type.String({ description: 'The API key: a bearer token for every later call.' })),
})

const parameter = (description: string) => optional(nullable(Type.String({ maxLength: 2048, description })), null)

export const getConsent = endpoint({
  method: 'GET',
  path: '/oauth2/{appId}/consent',
  access: 'session',
  beside: true,
  summary: 'What an application asks of the user',
  description: 'Refused when the redirect address is not one that the application registered.',
  query: Type.Object({
    redirectUrl: parameter("The return address; the application's first when left out."),
    state: parameter('Passed back to the application.'),
    code_challenge: parameter('The PKCE challenge.'),
    code_challenge_method: parameter('S256 when there is a challenge.'),
  }),
  reply: envelope(Consent),
})
