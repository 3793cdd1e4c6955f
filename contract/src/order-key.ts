import { Type } from 'typebox'
import { nullable, optional } from './values.ts'

/** Part of every endpoint that the buyer of an order calls. */
export const withOrderKey = {
  access: 'order',
  beside: true,
  query: Type.Object({
    key: optional(
      nullable(Type.String({ maxLength: 256, description: "The order's key, unless the header has it." })),
      null,
    ),
  }),
  headers: {
    'X-Order-Key': { description: "The order's key, unless the query has it." },
  },
} as const
