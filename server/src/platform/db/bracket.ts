import { type Connection, type PoolClient, Query, type QueryResult } from 'pg'

/** Commands that travel with a statement: one round trip for all, and when one fails the database skips the rest. */
export interface Bracket {
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface Statement {
  readonly text: string
  readonly values: unknown[]
  readonly name?: string
}

export function queryWithin(client: PoolClient, statement: Statement, bracket: Bracket): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(
      new BracketedQuery(statement, bracket, (error, result) => {
        if (error) reject(withOwnStack(error))
        else resolve(result)
      }),
    )
  })
}

// What pg's own class does with the messages of a statement; its types leave these out.
interface Steps {
  prepare(connection: Connection): void
  handleCommandComplete(message: unknown, connection: Connection): void
  portal: string
}
interface Messages {
  parse(message: { text: string }): void
  bind(message: object): void
  execute(message: object): void
  sync(): void
}
const own = Query.prototype as unknown as Steps

class BracketedQuery extends Query {
  readonly #bracket: Bracket
  #isBegun: boolean
  #isDone = false

  constructor(statement: Statement, bracket: Bracket, done: (error: Error | undefined, result: QueryResult) => void) {
    // Always by the extended protocol: only there several commands share an end.
    super({ ...statement, queryMode: 'extended' } as never, done as never)
    this.#bracket = bracket
    this.#isBegun = bracket.before === undefined
  }

  prepare(connection: Connection): void {
    if (this.#bracket.before !== undefined) send(connection, this.#bracket.before)
    own.prepare.call(this, connection)
  }

  /** Called when everything but the execution is sent. */
  _getRows(connection: Connection): void {
    const messages = connection as unknown as Messages
    messages.execute({ portal: (this as unknown as Steps).portal })
    if (this.#bracket.after !== undefined) send(connection, this.#bracket.after)
    messages.sync()
  }

  /** Only the statement's own completion is its result. */
  handleCommandComplete(message: unknown, connection: Connection): void {
    if (!this.#isBegun) this.#isBegun = true
    else if (!this.#isDone) {
      this.#isDone = true
      own.handleCommandComplete.call(this, message, connection)
    }
  }
}

function send(connection: Connection, text: string): void {
  const messages = connection as unknown as Messages
  messages.parse({ text })
  messages.bind({})
  messages.execute({})
}

/** From where it was asked, not from the socket. */
function withOwnStack(error: Error): Error {
  Error.captureStackTrace(error)
  return error
}
