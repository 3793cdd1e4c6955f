import { type Connection, type FieldDef, type PoolClient, Query, type QueryResult } from 'pg'
import { names } from './names.ts'
import { rowTypes } from './types.ts'

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

/** Rows come with their names in code. */
export function queryWithin(client: PoolClient, statement: Statement, bracket: Bracket): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(
      new NamedQuery(statement, bracket, (error, result) => {
        if (error) reject(error)
        else resolve(result)
      }),
    )
  })
}

type Row = Record<string, unknown>
type Parser = (text: string) => unknown

/** How the rows of a statement are made of what arrives. */
interface Shape {
  readonly names: readonly string[]
  readonly parsers: readonly Parser[]
  readonly blank: Row
}

/** What a connection was told of its prepared statements, by name; pg asks again with every execution. */
const shapesBy = new WeakMap<Connection, Map<string, Shape>>()
const noRows: Shape = { names: [], parsers: [], blank: {} }

// What pg's own class does with the messages of a statement; its types leave these out.
interface Steps {
  hasBeenParsed(connection: object): unknown
  prepare(connection: object): void
  handleCommandComplete(message: unknown, connection: Connection): void
  portal: string
  _result: { rows: unknown[] }
  _canceledDueToError: unknown
}
interface Messages {
  parsedStatements: Record<string, string>
  parse(message: { text: string }): void
  bind(message: object): void
  execute(message: object): void
  sync(): void
}
interface Given {
  name: string | undefined
  queryMode: 'extended'
}
const own = Query.prototype as unknown as Steps

class NamedQuery extends Query {
  readonly #bracket: Bracket
  readonly #name: string | undefined
  #shape: Shape | undefined
  #isParsed = false
  #isBegun: boolean
  #isDone = false

  constructor(statement: Statement, bracket: Bracket, done: (error: Error | undefined, result: QueryResult) => void) {
    // The text alone: an object would be copied property by property, each with its descriptor.
    super(statement.text as never, statement.values as never, done as never)
    const given = this as unknown as Given
    given.name = statement.name
    // Always by the extended protocol: only there several commands share an end.
    given.queryMode = 'extended'
    this.#bracket = bracket
    this.#name = statement.name
    this.#isBegun = bracket.before === undefined
  }

  prepare(connection: Connection): void {
    if (this.#bracket.before !== undefined) send(connection, this.#bracket.before)
    this.#shape = this.#name === undefined ? undefined : shapesOf(connection).get(this.#name)
    this.#isParsed = Boolean(own.hasBeenParsed.call(this, connection))
    own.prepare.call(this, this.#shape ? undescribed(connection) : connection)
  }

  /** Called when everything but the execution is sent. */
  _getRows(connection: Connection): void {
    const messages = connection as unknown as Messages
    messages.execute({ portal: (this as unknown as Steps).portal })
    if (this.#bracket.after !== undefined) send(connection, this.#bracket.after)
    messages.sync()
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const named = fields.map(({ name }) => names.inCode(name))
    this.#shape = {
      names: named,
      parsers: fields.map(({ dataTypeID }) => rowTypes.getTypeParser(dataTypeID, 'text') as unknown as Parser),
      // Objects that come from JSON are compact however many names they have, and so are their copies.
      blank: Object(JSON.parse(JSON.stringify(Object.fromEntries(named.map((name) => [name, null]))))),
    }
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const steps = this as unknown as Steps
    if (steps._canceledDueToError || !this.#shape) return
    try {
      steps._result.rows.push(rowOf(this.#shape, fields))
    } catch (error) {
      steps._canceledDueToError = error
    }
  }

  /** Only the statement's own completion is its result. */
  handleCommandComplete(message: unknown, connection: Connection): void {
    if (!this.#isBegun) {
      this.#isBegun = true
      // To pg the word that the beginning was parsed is the statement's own, which may still fail.
      const { parsedStatements } = connection as unknown as Messages
      if (this.#name !== undefined && !this.#isParsed) delete parsedStatements[this.#name]
    } else if (!this.#isDone) {
      this.#isDone = true
      own.handleCommandComplete.call(this, message, connection)
      if (this.#name !== undefined) shapesOf(connection).set(this.#name, this.#shape ?? noRows)
    }
  }
}

function rowOf({ names, parsers, blank }: Shape, fields: readonly (string | null)[]): Row {
  const row = { ...blank }
  for (let index = 0; index < fields.length; index += 1) {
    const text = fields[index]
    const name = names[index]
    const parse = parsers[index]
    // Null is written too: of two columns with one name the last counts.
    if (text !== undefined && name !== undefined && parse) row[name] = text === null ? null : parse(text)
  }
  return row
}

/** How many statements the connection has prepared under a name. */
export function preparedOn(client: PoolClient): number {
  const { connection } = client as unknown as { connection: Connection }
  return shapesBy.get(connection)?.size ?? 0
}

function shapesOf(connection: Connection): Map<string, Shape> {
  const known = shapesBy.get(connection)
  if (known) return known
  const shapes = new Map<string, Shape>()
  shapesBy.set(connection, shapes)
  return shapes
}

const undescribedBy = new WeakMap<Connection, object>()

/** The same connection, on which nobody asks what a statement returns. */
function undescribed(connection: Connection): object {
  const known = undescribedBy.get(connection)
  if (known) return known
  const quiet: object = Object.assign(Object.create(connection), { describe() {} })
  undescribedBy.set(connection, quiet)
  return quiet
}

function send(connection: Connection, text: string): void {
  const messages = connection as unknown as Messages
  messages.parse({ text })
  messages.bind({})
  messages.execute({})
}
