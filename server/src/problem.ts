import type { FailureCode } from '@keystall/contract/envelope'
import type { Scope } from '@keystall/contract/scopes'

/** A refusal that a caller may read. Rules throw it; nothing else is thrown on purpose. */
export class Problem extends Error {
  readonly code: FailureCode
  readonly fields: Readonly<Record<string, string>>
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: FailureCode,
    message: string,
    more: { fields?: Record<string, string>; retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.code = code
    this.fields = more.fields ?? {}
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/** Reasons finish the sentence that the field's name begins: `{ name: 'is too long' }`. */
export function invalid(fields: Record<string, string>): Problem {
  const [first] = Object.entries(fields)
  return new Problem('ValidationError', first ? `${first[0]} ${first[1]}` : 'The request is invalid', { fields })
}

export function unauthorized(message = 'The API key is missing or wrong'): Problem {
  return new Problem('BadToken', message)
}

export function forbidden(scope: Scope): Problem {
  return new Problem('AccessDenied', `This needs the scope ${scope}`)
}

/** For what only a person may do. */
export function sessionOnly(): Problem {
  return new Problem('AccessDenied', 'This is done on the dashboard, with a password: no key may')
}

/** Unknown and somebody else's read the same. */
export function notFound(thing: string): Problem {
  return new Problem('NotFound', `There is no such ${thing}`)
}

export function applicationNotFound(): Problem {
  return new Problem('ApplicationNotFound', 'There is no such application')
}

export function conflict(message: string): Problem {
  return new Problem('ObjectConflict', message)
}

export function tooMany(retryAfterSeconds: number): Problem {
  return new Problem('RateLimited', `Too many requests: try again in ${retryAfterSeconds} s`, { retryAfterSeconds })
}

export function unavailable(message = 'The service is busy or restarting: try again in a moment'): Problem {
  return new Problem('Unavailable', message, { retryAfterSeconds: 2 })
}
