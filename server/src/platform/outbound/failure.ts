export type FailureKind = 'blocked' | 'busy' | 'dns' | 'timeout' | 'network' | 'tls' | 'redirect' | 'too-large'

/** Why a call brought no answer. The message is ours alone: it may be shown to whoever chose the address. */
export class SendFailure extends Error {
  readonly failed: FailureKind
  readonly status: number | undefined
  readonly durationMs: number

  constructor(failed: FailureKind, message: string, status?: number, durationMs = 0) {
    super(message)
    this.failed = failed
    this.status = status
    this.durationMs = durationMs
  }

  after(durationMs: number): SendFailure {
    return new SendFailure(this.failed, this.message, this.status, durationMs)
  }
}

export class Blocked extends SendFailure {
  constructor(message: string) {
    super('blocked', message)
  }
}

export class Unresolved extends SendFailure {
  constructor(cause?: unknown) {
    super('dns', 'The host name could not be resolved')
    this.cause = cause
  }
}

export class TooLarge extends SendFailure {
  constructor(message: string) {
    super('too-large', message)
  }
}

const tlsCodes = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/

export function failureOf(error: unknown, deadline: AbortSignal): SendFailure {
  if (error instanceof SendFailure) return error
  if (deadline.aborted) return new SendFailure('timeout', 'The receiver did not answer in time')
  const code = codeOf(error)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new TooLarge('The headers of the answer are too large')
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new SendFailure('timeout', 'The receiver could not be reached in time')
  }
  if (tlsCodes.test(code)) return new SendFailure('tls', `The secure connection failed (${code})`)
  return new SendFailure('network', code ? `The connection failed (${code})` : 'The connection failed')
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return codeOf(error.cause)
}
