import { Type } from 'typebox'
import { Value } from 'typebox/value'

/** Of a cursor: the height that was reached. */
export const BlockSeen = Type.Object({ height: Type.Integer() })

/**
 * A server that starts anew knows less than was read before, and would say of payments that they are gone. A chain
 * that is reorganised does not get shorter.
 */
export function refuseBehind(cursor: unknown, tip: number): void {
  if (Value.Check(BlockSeen, cursor) && tip < cursor.height) throw new Error('the node is still catching up')
}
