import type { Db, Tx } from '#platform/db/database'
import { addRating } from '#products/rating'
import { raiseRevision } from '#products/revision'
import { conflict } from '#problem'
import { insertFlag, markDecided, markHidden, selectFlag } from './queries.ts'
import type { ReviewFlagRow, ReviewRow } from './tables.ts'

/** The review stays public until the staff decide; flagging it again meanwhile does nothing. */
export async function flagReview(tx: Tx, review: ReviewRow, flag: { userId: string; reason: string }): Promise<void> {
  await insertFlag(tx, review, flag)
}

export function findFlag(db: Db, id: string): Promise<ReviewFlagRow | undefined> {
  return selectFlag(db, id)
}

export interface Decision {
  approved: boolean
  note: string | null
}

/** Once: of two who decide together, the second is refused. */
export async function decideFlag(
  tx: Tx,
  staff: { userId: string },
  flag: ReviewFlagRow,
  { approved, note }: Decision,
): Promise<ReviewFlagRow> {
  const decided = await markDecided(tx, flag, { userId: staff.userId, approved, note })
  if (!decided) throw conflict('Somebody has decided on this flag')
  if (approved) await hideReview(tx, decided)
  return decided
}

/** From now on it is shown and counted nowhere. */
async function hideReview(tx: Tx, flag: ReviewFlagRow): Promise<void> {
  const hidden = await markHidden(tx, flag)
  if (!hidden) return
  await addRating(tx, hidden, { sum: -hidden.rating, count: -1 })
  await raiseRevision(tx, hidden)
}
