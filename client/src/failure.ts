export interface InvalidField {
  /** The path of the field, such as `items.0.quantity`. */
  fieldName: string
  reason: string
}

/** The API's refusal, or `code: 'Unreachable'` when there was no answer that could be read. */
export class KeystallFailure<Code extends string = string> extends Error {
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  readonly code: Code | 'Unreachable'
  /** Every invalid field, on code ValidationError. */
  readonly invalidFields: readonly InvalidField[]
  /** Names the request in the server's logs. */
  readonly requestId: string | undefined
  /** How long to wait before the next try, when the server said. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, told: Told<Code>, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(
      told.message ?? 'There was no answer that could be read',
      options.cause === undefined ? {} : { cause: options.cause },
    )
    this.name = 'KeystallFailure'
    this.status = status
    this.code = told.code ?? 'Unreachable'
    this.invalidFields = told.invalidFields ?? []
    this.requestId = told.requestId
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

interface Told<Code> {
  message?: string
  code?: Code
  invalidFields?: readonly InvalidField[]
  requestId?: string
}
