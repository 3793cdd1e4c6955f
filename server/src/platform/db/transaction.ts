import { setTimeout as sleep } from 'node:timers/promises'
import { companionOf } from './accompanied.ts'
import { keepForEnd, tellEnded } from './after-commit.ts'
import { gatherRows, writeGathered } from './at-end.ts'
import type { Db, Tx } from './database.ts'
import { isStalePlan } from './prepared.ts'
import { sqlState } from './sql-state.ts'

const triesMax = 6
const firstPauseMs = 5

/**
 * Runs the work in one READ COMMITTED transaction, again when it lost against another one.
 * So the work must have no effect but its rows.
 */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const companion = companionOf(db)
  for (let attempt = 1; ; attempt += 1) {
    let begun: Tx | undefined
    try {
      const done = await db
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (tx) => {
          begun = tx
          keepForEnd(tx)
          gatherRows(tx)
          const result = await work(tx)
          await companion?.write(tx, result)
          await writeGathered(tx)
          return result
        })
      if (companion) companion.isWritten = true
      return done
    } catch (error) {
      if (attempt === triesMax || !(isConflict(error) || isStalePlan(error))) throw error
      await sleep(Math.random() * firstPauseMs * 2 ** attempt)
    } finally {
      if (begun) tellEnded(begun)
    }
  }
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint
}

function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error) ?? '')
}
