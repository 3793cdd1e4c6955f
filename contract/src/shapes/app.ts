import { Type } from 'typebox'
import { Count, list, nullable, shape, Timestamp, Uuid } from '../values.ts'

const scopeList = (description: string) => list(Type.String({ description: 'The name of a scope.' }), description)

export const App = shape('App', 'An application that may ask users for API keys.', {
  id: Uuid('Identifies the application.'),
  dateCreated: Timestamp('When the application was created.'),
  name: Type.String({ description: 'The name that users read when they are asked.' }),
  redirectUrls: list(Type.String({ description: 'An address.' }), 'The addresses that users may be sent back to.'),
  scopes: scopeList('What the application may ask for.'),
  previousSecretValidUntil: nullable(Timestamp('Until when the former client secret is good; null when it is not.')),
  connectedUsers: Count('How many users have authorized the application.'),
})
export type App = Type.Static<typeof App>

export const ConnectedApp = shape('ConnectedApp', 'An application that the user has authorized.', {
  id: Uuid('Identifies the application.'),
  name: Type.String({ description: 'The name of the application.' }),
  scopes: scopeList('What the application may do.'),
  storeIds: nullable(list(Uuid('A store.'), 'The stores that it may reach; null when it may reach all.')),
  dateCreated: Timestamp('When the user authorized it.'),
  lastUsed: nullable(Timestamp('When it last made a call; null when never.')),
})
export type ConnectedApp = Type.Static<typeof ConnectedApp>

export const Consent = shape('Consent', 'What an application asks of the user.', {
  app: Type.Object(
    {
      id: Uuid('Identifies the application.'),
      name: Type.String({ description: 'The name of the application.' }),
      owner: Type.String({ description: 'The user name of its maker.' }),
    },
    { description: 'Who asks.' },
  ),
  scopes: list(
    Type.Object(
      {
        name: Type.String({ description: 'The name of the scope.' }),
        words: Type.String({ description: 'What the scope allows, in plain words.' }),
      },
      { description: 'A scope.' },
    ),
    'What is asked for.',
  ),
  stores: list(
    Type.Object(
      {
        id: Uuid('Identifies the store.'),
        name: Type.String({ description: 'The name of the store.' }),
        url: Type.String({ description: "The store's label." }),
      },
      { description: 'A store.' },
    ),
    'The stores that the user may choose from.',
  ),
  redirectUrl: Type.String({ description: 'Where the user is sent back to.' }),
  state: nullable(Type.String({ description: 'What the application wants back; null when it sent nothing.' })),
  codeChallenge: nullable(Type.String({ description: 'The PKCE challenge; null when there is none.' })),
  formToken: Type.String({ description: "Proves that the answer comes from the dashboard's own page." }),
  grantedScopes: scopeList('What the user has already granted to the application.'),
})
export type Consent = Type.Static<typeof Consent>
