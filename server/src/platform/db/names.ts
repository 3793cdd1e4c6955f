import { CamelCasePlugin } from 'kysely'

/** Names in code are camel case, names in the database snake case; what is inside of JSON keeps its own. */
class Names extends CamelCasePlugin {
  readonly #known = new Map<string, string>()

  /** Rows have their names already when they arrive. */
  override async transformResult<T>({ result }: { result: T }): Promise<T> {
    return result
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
