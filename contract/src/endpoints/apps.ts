import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { App, ConnectedApp } from '../shapes/app.ts'
import { HttpUrl, list, Text, Timestamp } from '../values.ts'

export const AppForm = Type.Object({
  name: Text({ minLength: 1, maxLength: 64 }, 'The name that users read when they are asked, 1 to 64 characters.'),
  redirectUrls: Type.Array(HttpUrl('An address, compared to the letter.'), {
    minItems: 1,
    maxItems: 10,
    uniqueItems: true,
    description: 'The addresses that users may be sent back to, 1 to 10; the first is used when none is asked for.',
  }),
  scopes: Type.Array(Type.String({ maxLength: 64, description: 'A scope, by its name or permission string.' }), {
    maxItems: 100,
    description: 'What the application may ask for.',
  }),
})
export type AppForm = Type.Static<typeof AppForm>

const clientSecret = Type.String({ description: 'The client secret; shown only now.' })

export const listApps = endpoint({
  method: 'GET',
  path: '/apps',
  access: 'session',
  beside: true,
  summary: "List the user's own applications",
  reply: envelope(list(App, 'The applications, newest first.')),
})

export const createApp = endpoint({
  method: 'POST',
  path: '/apps',
  access: 'session',
  beside: true,
  summary: 'Create an application',
  body: AppForm,
  reply: envelope(Type.Object({ app: App, clientSecret }, { description: 'The application and its secret.' })),
})

export const getApp = endpoint({
  method: 'GET',
  path: '/apps/{appId}',
  access: 'session',
  beside: true,
  summary: 'Get an application',
  reply: envelope(App),
})

export const updateApp = endpoint({
  method: 'PUT',
  path: '/apps/{appId}',
  access: 'session',
  beside: true,
  summary: 'Change an application',
  description: 'A scope taken away is lost at once to every key of the application.',
  body: AppForm,
  reply: envelope(App),
})

export const deleteApp = endpoint({
  method: 'DELETE',
  path: '/apps/{appId}',
  access: 'session',
  beside: true,
  summary: 'Delete an application',
  description: 'Its keys are revoked.',
  reply: envelope(Nothing),
})

export const rotateAppSecret = endpoint({
  method: 'POST',
  path: '/apps/{appId}/secret',
  access: 'session',
  beside: true,
  summary: 'Make a new client secret',
  description: 'The former one stays good for a while, so that the application can be changed over.',
  reply: envelope(
    Type.Object(
      {
        clientSecret,
        previousValidUntil: Timestamp('Until when the former secret is good.'),
      },
      { description: 'The new secret.' },
    ),
  ),
})

export const listConnectedApps = endpoint({
  method: 'GET',
  path: '/connected-apps',
  access: 'session',
  beside: true,
  summary: 'List the applications that the user has authorized',
  reply: envelope(list(ConnectedApp, 'The applications, newest first.')),
})

export const disconnectApp = endpoint({
  method: 'DELETE',
  path: '/connected-apps/{appId}',
  access: 'session',
  beside: true,
  summary: 'Revoke all keys of an application',
  reply: envelope(Nothing),
})
