import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { Key } from '../shapes/key.ts'
import { list, nullable, optional, Text, Timestamp, Uuid } from '../values.ts'

export const KeyForm = Type.Object({
  label: Text({ minLength: 1, maxLength: 64 }, "The user's name for the key, 1 to 64 characters."),
  scopes: Type.Array(Type.String({ maxLength: 64, description: 'A scope, by its name or permission string.' }), {
    maxItems: 100,
    description: 'What the key may do.',
  }),
  storeIds: optional(
    nullable(
      Type.Array(Uuid('A store.'), { maxItems: 1000, description: 'The stores that the key may reach; null for all.' }),
    ),
    null,
  ),
  expiresAt: optional(nullable(Timestamp('When the key ends; null for never.')), null),
  allowedAddresses: optional(
    Type.Array(Type.String({ minLength: 2, maxLength: 64, description: 'An IP address or a CIDR range.' }), {
      maxItems: 100,
      description: 'The addresses that the key may be used from; empty for any.',
    }),
    [],
  ),
})
export type KeyForm = Type.Static<typeof KeyForm>

export const listKeys = endpoint({
  method: 'GET',
  path: '/keys',
  access: 'session',
  beside: true,
  summary: 'List the API keys that the user made by hand',
  reply: envelope(list(Key, 'The keys, newest first.')),
})

export const createKey = endpoint({
  method: 'POST',
  path: '/keys',
  access: 'session',
  beside: true,
  summary: 'Make an API key',
  body: KeyForm,
  reply: envelope(
    Type.Object(
      {
        key: Key,
        apiKey: Type.String({ description: 'The API key; shown only now.' }),
      },
      { description: 'The key and its text.' },
    ),
  ),
})

export const revokeKey = endpoint({
  method: 'DELETE',
  path: '/keys/{keyId}',
  access: 'session',
  beside: true,
  summary: 'Revoke an API key',
  reply: envelope(Nothing),
})
