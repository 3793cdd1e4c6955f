import type { Db, Tx } from './database.ts'

/** What a transaction does beside its own work. */
export interface Companion {
  /** Runs last in the transaction, with what the work gave back. */
  readonly write: (tx: Tx, result: unknown) => Promise<void>
  isWritten: boolean
}

const companions = new WeakMap<Db, Companion>()

/** A handle of the same database: the first transaction that commits through it writes this too. */
export function accompanied(db: Db, write: Companion['write']): { db: Db; companion: Companion } {
  const handle = db.withTables() as Db
  const companion = { write, isWritten: false }
  companions.set(handle, companion)
  return { db: handle, companion }
}

export function companionOf(db: Db): Companion | undefined {
  const companion = companions.get(db)
  return companion?.isWritten ? undefined : companion
}
