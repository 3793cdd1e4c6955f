import { CamelCasePlugin, type PluginTransformQueryArgs, type RawBuilder, sql } from 'kysely'
import { isWritten } from './written.ts'

/** Names in code are camel case, names in the database snake case; what is inside of JSON keeps its own. */
class Names extends CamelCasePlugin {
  readonly #known = new Map<string, string>()
  readonly #columns = new Map<string, RawBuilder<unknown>>()

  /** What is written as text has its names already, and need not be built a second time. */
  override transformQuery(args: PluginTransformQueryArgs): PluginTransformQueryArgs['node'] {
    return isWritten(args.node) ? args.node : super.transformQuery(args)
  }

  /** Rows have their names already when they arrive. */
  override async transformResult<T>({ result }: { result: T }): Promise<T> {
    return result
  }

  /** A column for a statement that is written as text, by its name in code. */
  column(name: string): RawBuilder<unknown> {
    const known = this.#columns.get(name)
    if (known) return known
    const column = sql.raw(`"${this.snakeCase(name)}"`)
    this.#columns.set(name, column)
    return column
  }

  inCode(column: string): string {
    const known = this.#known.get(column)
    if (known !== undefined) return known
    const name = this.camelCase(column)
    this.#known.set(column, name)
    return name
  }
}

export const names = new Names({ maintainNestedObjectKeys: true })
