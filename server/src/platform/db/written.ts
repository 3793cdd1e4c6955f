import {
  type CompiledQuery,
  type OperationNode,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryId,
  RawNode,
  type RootOperationNode,
  ValueNode,
} from 'kysely'

/** Whether a statement is written as text throughout, with nothing but values between. */
export function isWritten(node: OperationNode): boolean {
  return ValueNode.is(node) ? !node.immediate : RawNode.is(node) && node.parameters.every(isWritten)
}

/** Joins what is written; visiting it node by node takes several times as long. */
class WrittenFirst extends PostgresQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    if (!isWritten(node)) return super.compileQuery(node, queryId)
    const parameters: unknown[] = []
    return { query: node, queryId, sql: textOf(node, parameters), parameters }
  }
}

function textOf(node: OperationNode, values: unknown[]): string {
  if (ValueNode.is(node)) return `$${values.push(node.value)}`
  if (!RawNode.is(node)) throw new Error(`a ${node.kind} is not written as text`)
  const { sqlFragments, parameters } = node
  let text = ''
  for (let index = 0; index < sqlFragments.length; index += 1) {
    const parameter = parameters[index]
    text += sqlFragments[index]
    if (parameter) text += textOf(parameter, values)
  }
  return text
}

export class WrittenDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new WrittenFirst()
  }
}
