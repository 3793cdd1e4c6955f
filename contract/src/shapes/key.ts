import { Type } from 'typebox'
import { list, nullable, shape, Timestamp, Uuid } from '../values.ts'

export const Key = shape('Key', 'An API key that the user made by hand, without its text.', {
  id: Uuid('Identifies the key.'),
  dateCreated: Timestamp('When the key was made.'),
  label: Type.String({ description: "The user's name for the key." }),
  scopes: list(Type.String({ description: 'The name of a scope.' }), 'What the key may do.'),
  storeIds: nullable(list(Uuid('A store.'), 'The stores that the key may reach; null when it may reach all.')),
  expiresAt: nullable(Timestamp('When the key ends; null when it does not.')),
  allowedAddresses: list(
    Type.String({ description: 'An IP address or a CIDR range.' }),
    'The addresses that the key may be used from; empty when any.',
  ),
  lastUsed: nullable(Timestamp('When the key was last used; null when never.')),
})
export type Key = Type.Static<typeof Key>
