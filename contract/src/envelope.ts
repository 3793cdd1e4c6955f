import { type TSchema, Type } from 'typebox'
import { list, optional } from './values.ts'

const success = Type.Boolean({ description: 'Whether the call did what was asked.' })
const message = Type.String({ description: 'A short sentence about the outcome.' })

/** The standard envelope. */
export const envelope = <Data extends TSchema>(data: Data) => Type.Object({ success, message, data })

/** The paginated envelope. */
export const page = <Item extends TSchema>(item: Item) =>
  Type.Object({
    success,
    pages: Type.Integer({ minimum: 0, description: 'How many pages there are; 0 when there is nothing.' }),
    data: list(item, 'What is on this page.'),
  })

export const Nothing = Type.Null({ description: 'Always null.' })

export const PageQuery = Type.Object({
  count: optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Items a page, 1 to 100.' }), 15),
})

/** The staff's lists name their page in the query. */
export const StaffPageQuery = Type.Object({
  ...PageQuery.properties,
  page: optional(Type.Integer({ minimum: 1, description: 'The page, counted from 1.' }), 1),
})

export const failureCodes = {
  ValidationError: 400,
  BadToken: 401,
  InvalidClientSecret: 401,
  InvalidCode: 401,
  ExpiredCode: 401,
  AccessDenied: 403,
  NotFound: 404,
  ApplicationNotFound: 404,
  MethodNotAllowed: 405,
  ObjectConflict: 409,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  RangeNotSatisfiable: 416,
  IdempotencyMismatch: 422,
  RateLimited: 429,
  HeadersTooLarge: 431,
  InternalServerError: 500,
  Unavailable: 503,
} as const

export type FailureCode = keyof typeof failureCodes

/** The body of every failure. */
export const Failure = Type.Object(
  {
    success: Type.Literal(false, { description: 'Always false.' }),
    message: Type.String({ description: 'What happened and what to do about it.' }),
    data: Type.Null({ description: 'Always null.' }),
    code: Type.Unsafe<FailureCode>(
      Type.String({ enum: Object.keys(failureCodes), description: 'The kind of failure, for programs.' }),
    ),
    requestId: Type.String({ description: 'Names this request in the logs; also sent as X-Request-Id.' }),
    invalidFields: Type.Optional(
      Type.Array(
        Type.Object({
          fieldName: Type.String({ description: 'The path of the field, such as `items.0.quantity`.' }),
          reason: Type.String({ description: 'What is wrong with it.' }),
        }),
        { description: 'Every invalid field; on code ValidationError.' },
      ),
    ),
  },
  { title: 'Failure', description: 'What every failed call answers.' },
)
export type Failure = Type.Static<typeof Failure>
